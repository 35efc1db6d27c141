/** `@blockwork/otel/producer`: aggregates the metrics of engines itself, and hands them to readers of the SDK. */
import type { PolicyEngine } from '@blockwork/core';
import {
  BUCKETS,
  checkOptions,
  measureOperations,
  type Metric,
  type MetricLabels,
  metrics,
  optionTypes,
} from '@blockwork/core/adapter';
import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricCollectOptions,
  type MetricData,
  type MetricProducer,
  MetricReader,
} from '@opentelemetry/sdk-metrics';
import { observeBacklog } from './instruments.js';
import type { EngineMetrics } from './options.js';
import { SCOPE } from './scope.js';

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

/** Aggregates values from a start time on. Ignores what an instrument of the SDK rejects: negative values and NaN. */
interface Series<Value> {
  readonly record: (value: number) => void;
  /** `undefined` for a series without values. */
  readonly point: (endTime: HrTime) => DataPoint<Value> | undefined;
  /** Discards all values and starts again at `since`. */
  readonly reset: (since: HrTime) => void;
}

export class SumSeries implements Series<number> {
  #sum = 0;
  #isEmpty = true;

  constructor(
    readonly labels: MetricLabels,
    private since: HrTime,
  ) {}

  readonly record = (value: number): void => {
    if (!(value >= 0)) return;
    this.#sum += value;
    this.#isEmpty = false;
  };

  point(endTime: HrTime): DataPoint<number> | undefined {
    if (this.#isEmpty) return undefined;
    return { attributes: this.labels, startTime: this.since, endTime, value: this.#sum };
  }

  reset(since: HrTime): void {
    this.since = since;
    this.#sum = 0;
    this.#isEmpty = true;
  }
}

export class HistogramSeries implements Series<Histogram> {
  /** One more than `bounds`: the last counts the values above all of them. */
  readonly #counts: Float64Array;
  #sum = 0;
  #min = Infinity;
  #max = -Infinity;

  constructor(
    readonly labels: MetricLabels,
    private since: HrTime,
    /** Upper bounds of the buckets, ascending. */
    private readonly bounds: readonly number[],
  ) {
    this.#counts = new Float64Array(bounds.length + 1);
  }

  readonly record = (value: number): void => {
    if (!(value >= 0)) return;
    let bucket = 0;
    // Most values belong in one of the first buckets.
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? Infinity)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  };

  point(endTime: HrTime): DataPoint<Histogram> | undefined {
    const counts = [...this.#counts];
    const count = counts.reduce((sum, each) => sum + each, 0);
    if (count === 0) return undefined;
    const buckets = { boundaries: [...this.bounds], counts };
    const value = { buckets, count, sum: this.#sum, min: this.#min, max: this.#max };
    return { attributes: this.labels, startTime: this.since, endTime, value };
  }

  reset(since: HrTime): void {
    this.since = since;
    this.#counts.fill(0);
    this.#sum = 0;
    this.#min = Infinity;
    this.#max = -Infinity;
  }
}

/** Limit of label combinations per metric, the same as in the SDK. Further ones share an overflow series. */
export const SERIES_AT_MOST = 2_000;

const overflow: MetricLabels = { 'otel.metric.overflow': 'true' };

/** One metric with all its series. */
export class MetricSeries<Value> {
  readonly #series = new Map<string, Series<Value>>();

  constructor(
    readonly metric: Metric,
    private readonly make: (labels: MetricLabels) => Series<Value>,
  ) {}

  /** The series with these labels, or the overflow series. */
  series(labels: MetricLabels): Series<Value> {
    const known = this.#find(labels);
    if (known !== undefined) return known;
    if (this.#series.size < SERIES_AT_MOST - 1) return this.#add(labels);
    return this.#find(overflow) ?? this.#add(overflow);
  }

  points(endTime: HrTime): DataPoint<Value>[] {
    return [...this.#series.values()].flatMap((series) => series.point(endTime) ?? []);
  }

  reset(since: HrTime): void {
    for (const series of this.#series.values()) series.reset(since);
  }

  #find(labels: MetricLabels): Series<Value> | undefined {
    return this.#series.get(keyOf(labels));
  }

  #add(labels: MetricLabels): Series<Value> {
    const series = this.make(labels);
    this.#series.set(keyOf(labels), series);
    return series;
  }
}

/** Unique, because the labels of a metric always come in the same order. */
const keyOf = (labels: MetricLabels): string => JSON.stringify(labels);
