/** Aggregates the values of metrics: one series per combination of labels. */
import type { Metric, MetricLabels } from '@blockwork/core/adapter';
import type { HrTime } from '@opentelemetry/api';
import type { DataPoint, Histogram } from '@opentelemetry/sdk-metrics';

/** Aggregates values from a start time on. Ignores what an instrument of the SDK rejects: negative values and NaN. */
export interface Series<Value> {
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
    const existing = this.#find(labels);
    if (existing !== undefined) return existing;
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
