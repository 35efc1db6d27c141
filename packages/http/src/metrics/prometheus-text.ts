/** The text format of Prometheus, version 0.0.4. */
import type { Metric, MetricLabels } from '@blockwork/core/adapter';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Maximum label combinations per metric. Further ones are merged into an overflow series. */
export const SERIES_AT_MOST = 1000;

interface Series {
  readonly labels: MetricLabels;
  value: number;
  /** For a histogram: non-cumulative bucket counts. */
  readonly counts: number[];
  count: number;
}

const overflow: MetricLabels = { overflow: 'true' };

/** One metric with all its series. */
export class MetricFamily {
  readonly #series = new Map<string, Series>();
  readonly #name: string;

  constructor(
    private readonly metric: Metric,
    /** Upper bounds of the buckets of a histogram, ascending. */
    private readonly buckets: readonly number[] = [],
  ) {
    this.#name = nameOf(metric);
  }

  /** Adds to a counter, sets a gauge, or observes into a histogram. */
  record(value: number, labels: MetricLabels): void {
    this.#add(value, this.#seriesOf(labels));
  }

  /** A bound series for recurring labels, looked up only once. Not for a family that is cleared. */
  bind(labels: MetricLabels): (value: number) => void {
    let series: Series | undefined;
    return (value) => {
      series ??= this.#seriesOf(labels);
      this.#add(value, series);
    };
  }

  clear(): void {
    this.#series.clear();
  }

  /** Empty for a metric without values. */
  text(): string {
    if (this.#series.size === 0) return '';
    const { description, kind } = this.metric;
    const head = `# HELP ${this.#name} ${escapedHelp(description)}\n# TYPE ${this.#name} ${kind}\n`;
    return head + [...this.#series.values()].map((series) => this.#lines(series)).join('');
  }

  #add(value: number, series: Series): void {
    if (this.metric.kind === 'gauge') series.value = value;
    else series.value += value;
    if (this.metric.kind !== 'histogram') return;
    const bucket = this.buckets.findIndex((bound) => value <= bound);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
  }

  #seriesOf(metricLabels: MetricLabels): Series {
    let labels = metricLabels;
    let key = labelText(labels);
    if (!this.#series.has(key) && this.#series.size >= SERIES_AT_MOST) {
      labels = overflow;
      key = labelText(labels);
    }
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels, value: 0, counts: this.buckets.map(() => 0), count: 0 };
      this.#series.set(key, series);
    }
    return series;
  }

  #lines({ labels, value, counts, count }: Series): string {
    if (this.metric.kind !== 'histogram') return line(this.#name, labels, value);
    let below = 0;
    const buckets = this.buckets.map((bound, at) => {
      below += counts[at] ?? 0;
      return line(`${this.#name}_bucket`, { ...labels, le: String(bound) }, below);
    });
    return (
      buckets.join('') +
      line(`${this.#name}_bucket`, { ...labels, le: '+Inf' }, count) +
      line(`${this.#name}_sum`, labels, value) +
      line(`${this.#name}_count`, labels, count)
    );
  }
}

/** The Prometheus name, with a unit suffix, and `_total` for counters. */
function nameOf({ name, unit, kind }: Metric): string {
  const unitSuffix = { s: '_seconds', By: '_bytes' }[unit] ?? '';
  return `${underscored(name)}${unitSuffix}${kind === 'counter' ? '_total' : ''}`;
}

const line = (name: string, labels: MetricLabels, value: number): string => `${name}${labelText(labels)} ${value}\n`;

function labelText(labels: MetricLabels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${underscored(name)}="${escapedValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const underscored = (name: string): string => name.replaceAll(/[^\w:]/g, '_');
const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapedValue = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');
