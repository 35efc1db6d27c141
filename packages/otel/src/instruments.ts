/** Records an engine's metrics through OpenTelemetry instruments. */
import { isBlockworkError, type PolicyEngine } from '@blockwork/core';
import { BUCKETS, measureBacklog, measureOperations, metrics, type Metric } from '@blockwork/core/adapter';
import type { Attributes, BatchObservableResult, Counter, Meter } from '@opentelemetry/api';
import { guarded } from './guarded.js';

type Add = (value: number, labels: Attributes) => void;

/** Records the engine's metrics from now on. Returns a function that stops it. */
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
      const counter = batchedCounter(meter.createCounter(name, about));
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
  // The SDK calls observable callbacks before it collects, so sums flushed there are part of the same collection.
  const stopObserving = observeBacklog(engine, meter, flush);
  return () => {
    stop();
    flush();
    stopObserving();
  };
}

/** Registers the backlog gauges. `before` is called at each collection. Returns a function that stops it. */
export function observeBacklog(engine: PolicyEngine, meter: Meter, before: () => void = () => undefined): () => void {
  const gauges = new Map(
    metrics
      .filter(({ kind }) => kind === 'gauge')
      .map((metric) => {
        const { name, unit, description } = metric;
        return [metric, meter.createObservableGauge(name, { unit, description })];
      }),
  );
  const observeGauges = async (result: BatchObservableResult): Promise<void> => {
    before();
    try {
      measureBacklog(await engine.program.getBacklog(), (metric, value, labels) => {
        const gauge = gauges.get(metric);
        if (gauge !== undefined) result.observe(gauge, value, labels);
      });
    } catch (error) {
      // A backlog that cannot be read has no values: the chart shows a gap.
      if (!isBlockworkError(error)) throw error;
    }
  };
  const observed = [...gauges.values()];
  meter.addBatchObservableCallback(observeGauges, observed);
  return () => meter.removeBatchObservableCallback(observeGauges, observed);
}

/** Sums values between collections, which is cheaper than passing each one to the SDK. */
function batchedCounter(counter: Counter): { readonly add: Add; readonly flush: () => void } {
  const sums = new Map<Attributes, number>();
  const flush = (): void => {
    for (const [labels, sum] of sums) counter.add(sum, labels);
    sums.clear();
  };
  return {
    add: (value, labels) => {
      sums.set(labels, (sums.get(labels) ?? 0) + value);
      if (sums.size === MAX_PENDING_SUMS) flush();
    },
    flush,
  };
}

/** Flushes at this many label sets, which bounds memory if nothing collects. */
const MAX_PENDING_SUMS = 1_000;
