/** The metrics of an engine as instruments of OpenTelemetry. */
import { isBlockworkError, type PolicyEngine } from '@blockwork/core';
import { BUCKETS, measureBacklog, measureOperations, metrics, type Metric } from '@blockwork/core/adapter';
import type { Attributes, BatchObservableResult, Counter, Meter } from '@opentelemetry/api';
import { guarded } from './guarded.js';

type Add = (value: number, labels: Attributes) => void;

/** Returns a function that ends it. */
export function observe(engine: PolicyEngine, meter: Meter): () => void {
  const adders = new Map<Metric, Add>();
  const flushes: (() => void)[] = [];
  const flush = guarded<void>(() => {
    for (const each of flushes) each();
  });
  for (const metric of metrics) {
    const { name, kind, unit, description } = metric;
    const about = { unit, description };
    if (kind === 'counter') {
      const counter = summed(meter.createCounter(name, about));
      adders.set(metric, counter.add);
      flushes.push(counter.flush);
    } else if (kind === 'histogram') {
      const histogram = meter.createHistogram(name, { ...about, advice: { explicitBucketBoundaries: [...BUCKETS] } });
      adders.set(metric, (value, labels) => histogram.record(value, labels));
    }
  }
  const stop = measureOperations(engine.program.telemetrySource, (metric, labels) => {
    const add = adders.get(metric);
    return guarded((value: number) => add?.(value, labels));
  });
  // Instruments are read after what is observed.
  const stopObserving = observeBacklog(engine, meter, flush);
  return () => {
    stop();
    flush();
    stopObserving();
  };
}

/** The gauges. `before` is called at each reading. Returns a function that ends it. */
export function observeBacklog(engine: PolicyEngine, meter: Meter, before: () => void = () => undefined): () => void {
  const gauges = new Map(
    metrics
      .filter(({ kind }) => kind === 'gauge')
      .map((metric) => {
        const { name, unit, description } = metric;
        return [metric, meter.createObservableGauge(name, { unit, description })];
      }),
  );
  const look = async (result: BatchObservableResult): Promise<void> => {
    before();
    try {
      measureBacklog(await engine.program.getBacklog(), (metric, value, labels) => {
        const gauge = gauges.get(metric);
        if (gauge !== undefined) result.observe(gauge, value, labels);
      });
    } catch (error) {
      // What cannot be looked at is not there: a gap in a diagram says so.
      if (!isBlockworkError(error)) throw error;
    }
  };
  const observed = [...gauges.values()];
  meter.addBatchObservableCallback(look, observed);
  return () => meter.removeBatchObservableCallback(look, observed);
}

/** Adds up between two readings, which costs less than to tell the SDK of each. */
function summed(counter: Counter): { readonly add: Add; readonly flush: () => void } {
  const sums = new Map<Attributes, number>();
  const flush = (): void => {
    for (const [labels, sum] of sums) counter.add(sum, labels);
    sums.clear();
  };
  return {
    add: (value, labels) => {
      sums.set(labels, (sums.get(labels) ?? 0) + value);
      if (sums.size === SUMS_KEPT) flush();
    },
    flush,
  };
}

/** Where nobody reads. */
const SUMS_KEPT = 1_000;
