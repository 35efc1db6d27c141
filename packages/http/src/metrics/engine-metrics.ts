/** The metrics of an engine and of its process, for Prometheus. */
import type { PolicyEngine } from '@blockwork/core';
import { BUCKETS, measureBacklog, measureOperations, type Metric, metrics } from '@blockwork/core/adapter';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { MetricFamily } from './prometheus-text.js';

const WINDOW_MS = 60_000;
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

class EventLoopDelay {
  #current: IntervalHistogram | null = null;
  #since = 0;
  #previous = 0;

  /** In seconds. Measures from the first call on, until which it is 0. */
  longest(): number {
    const now = performance.now();
    if (this.#current === null) {
      this.#current = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#current.enable();
      this.#since = now;
    }
    // The histogram counts the distance between its own ticks, and is empty before the first.
    const current = this.#current.count === 0 ? 0 : Math.max(0, this.#current.max / NANOSECONDS - RESOLUTION_MS / 1000);
    const longest = Math.max(current, this.#previous);
    if (now - this.#since >= WINDOW_MS) {
      this.#previous = now - this.#since < 2 * WINDOW_MS ? current : 0;
      this.#current.reset();
      this.#since = now;
    }
    return longest;
  }
}

/** Measures from creation until it is stopped or the engine is closed. */
export class EngineMetrics {
  readonly #families: ReadonlyMap<Metric, MetricFamily>;
  readonly #engine: PolicyEngine;
  readonly #stop: () => void;

  constructor(engine: PolicyEngine) {
    this.#engine = engine;
    this.#families = new Map(
      [...metrics, ...processMetrics.map(({ metric }) => metric)].map((metric) => [
        metric,
        new MetricFamily(metric, metric.kind === 'histogram' ? BUCKETS : []),
      ]),
    );
    this.#stop = measureOperations(
      engine.program.telemetrySource,
      (metric, labels) => this.#families.get(metric)?.bind(labels) ?? (() => undefined),
    );
    void engine.program.closed.then(this.#stop);
  }

  /** The exposition text. Rejects with `STORE_UNAVAILABLE` or `ENGINE_CLOSED`. */
  async text(): Promise<string> {
    const backlog = await this.#engine.program.getBacklog();
    // Work that is no longer failing is no longer reported.
    for (const [metric, family] of this.#families) if (metric.kind === 'gauge') family.clear();
    measureBacklog(backlog, (metric, value, labels) => this.#families.get(metric)?.record(value, labels));
    for (const { metric, value } of processMetrics) {
      const family = this.#families.get(metric);
      family?.clear();
      family?.record(value(), {});
    }
    return [...this.#families.values()].map((family) => family.text()).join('');
  }

  stop(): void {
    this.#stop();
  }
}

interface ProcessMetric {
  readonly metric: Metric;
  readonly value: () => number;
}

const processMetric = (
  name: string,
  kind: Metric['kind'],
  unit: string,
  description: string,
  value: () => number,
): ProcessMetric => ({ metric: { name, kind, unit, description, labels: [] }, value });

const loop = new EventLoopDelay();
const startedAt = performance.timeOrigin / 1000;

const processMetrics: readonly ProcessMetric[] = [
  processMetric('process.cpu', 'counter', 's', 'Processor time of the process, in user mode and in the kernel.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }),
  processMetric('process.resident_memory', 'gauge', 'By', 'Memory of the process that is in use.', () =>
    process.memoryUsage.rss(),
  ),
  processMetric(
    'nodejs.eventloop.delay.max',
    'gauge',
    's',
    'The longest that the event loop was blocked within the last one to two minutes.',
    () => loop.longest(),
  ),
  processMetric('process.start_time', 'gauge', 's', 'When the process began, since 1970.', () => startedAt),
];
