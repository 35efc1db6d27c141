/** `@blockwork/otel/producer`: the metrics of engines, added up here and handed to readers of the SDK. */
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
   * `cumulative` (the default): sums since the beginning, for any number of readers. `delta`: sums since the last reading, for one
   * reader, as some vendors want them. The reader's own choice does not reach a producer.
   */
  readonly temporality?: 'cumulative' | 'delta';
}

/** For the option `metricProducers` of a reader, and the option `metricProducer` of `startTelemetry`. */
export type EngineMetricProducer = MetricProducer & EngineMetrics;

/**
 * Counts and measures engines at a fraction of what instruments of the SDK cost: an operation adds to numbers that are at hand, and the SDK
 * sees them when it reads. Names, units, labels and buckets are those of the instruments. Views of a meter provider do not
 * reach them. Throws `OPTION_INVALID`.
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
  /** Of the gauges, which are asked for when they are read: the SDK does that as well as can be. */
  readonly #gauges = new OwnReader();
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
    // In one go: nothing is recorded between the reading and the new beginning.
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

/** Reads when the producer is read. */
class OwnReader extends MetricReader {
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
