/** `@blockwork/otel/producer`: aggregates the metrics of engines itself, and hands them to readers of the SDK. */
import type { PolicyEngine } from '@blockwork/core';
import { BUCKETS, checkOptions, measureOperations, metrics, optionTypes, type Metric } from '@blockwork/core/adapter';
import { ValueType, type HrTime } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  MetricReader,
  type CollectionResult,
  type Histogram,
  type MetricCollectOptions,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { observeBacklog } from './instruments.js';
import type { EngineMetrics } from './options.js';
import { SCOPE } from './scope.js';
import { HistogramSeries, MetricSeries, SumSeries } from './series.js';

export interface MetricProducerOptions {
  /**
   * `cumulative` (the default): sums since the start, for any number of readers. `delta`: sums since the last
   * collection, for a single reader, as some vendors require. The temporality that a reader selects does not reach a
   * producer.
   */
  readonly temporality?: 'cumulative' | 'delta';
}

/** To be passed to a reader as `metricProducers` and to `startTelemetry` as `metricProducer`. */
export type EngineMetricProducer = MetricProducer & EngineMetrics;

/**
 * Measures engines at a fraction of the cost of the SDK's instruments: an operation adds to sums in memory, which the
 * SDK sees only when it collects. Names, units, labels and buckets are those of the instruments. Views of a meter
 * provider do not apply. Throws `OPTION_INVALID`.
 *
 * @example
 * const metricProducer = createMetricProducer();
 * const reader = new PeriodicExportingMetricReader({ exporter, metricProducers: [metricProducer] });
 * const meterProvider = new MeterProvider({ readers: [reader] });
 * const stop = startTelemetry(engine, { metricProducer });
 */
export function createMetricProducer(options: MetricProducerOptions = {}): EngineMetricProducer {
  checkOptions(options, { temporality: optionTypes.oneOf('cumulative', 'delta') }, 'metricProducer.');
  return new Producer(options.temporality ?? 'cumulative');
}

class Producer implements EngineMetricProducer {
  readonly #sums = new Map<Metric, MetricSeries<number>>();
  readonly #histograms = new Map<Metric, MetricSeries<Histogram>>();
  /** Collects the gauges, which are observed only on collection, so the SDK adds no cost. */
  readonly #gauges = new OnDemandReader();
  readonly #provider = new MeterProvider({ readers: [this.#gauges] });
  readonly #isDelta: boolean;
  #since = now();

  constructor(temporality: 'cumulative' | 'delta') {
    this.#isDelta = temporality === 'delta';
    for (const metric of metrics) {
      if (metric.kind === 'counter')
        this.#sums.set(metric, new MetricSeries(metric, (labels) => new SumSeries(labels, this.#since)));
      if (metric.kind === 'histogram')
        this.#histograms.set(
          metric,
          new MetricSeries(metric, (labels) => new HistogramSeries(labels, this.#since, BUCKETS)),
        );
    }
  }

  watch(engine: PolicyEngine): () => void {
    const stop = measureOperations(engine.program.telemetrySource, (metric, labels) => {
      const family = this.#sums.get(metric) ?? this.#histograms.get(metric);
      return family?.series(labels).record ?? (() => undefined);
    });
    const stopObserving = observeBacklog(engine, this.#provider.getMeter(SCOPE));
    return () => {
      stop();
      stopObserving();
    };
  }

  async collect(options?: MetricCollectOptions): Promise<CollectionResult> {
    const { resourceMetrics, errors } = await this.#gauges.collect(options);
    const gauges = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    // Synchronous, so that nothing is recorded between reading the sums and resetting them.
    const collected = [...this.#collected(now()), ...gauges];
    const scopeMetrics = collected.length === 0 ? [] : [{ scope: { name: SCOPE }, metrics: collected }];
    return { resourceMetrics: { resource: resourceMetrics.resource, scopeMetrics }, errors };
  }

  #collected(endTime: HrTime): MetricData[] {
    const temporality = this.#isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
    const common = ({ name, description, unit }: Metric) => ({
      descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
      aggregationTemporality: temporality,
    });
    const sums = [...this.#sums.values()].map((family): MetricData => ({
      ...common(family.metric),
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: family.points(endTime),
    }));
    const histograms = [...this.#histograms.values()].map((family): MetricData => ({
      ...common(family.metric),
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: family.points(endTime),
    }));
    if (this.#isDelta) {
      this.#since = endTime;
      for (const family of [...this.#sums.values(), ...this.#histograms.values()]) family.reset(endTime);
    }
    return [...sums, ...histograms].filter(({ dataPoints }) => dataPoints.length > 0);
  }
}

/** A reader that collects only on request. */
class OnDemandReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** Seconds and nanoseconds since 1970. */
function now(): HrTime {
  const ms = performance.timeOrigin + performance.now();
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1_000_000)];
}
