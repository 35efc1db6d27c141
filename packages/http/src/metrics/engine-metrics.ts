/** The metrics of an engine and of its process, for Prometheus. */
import type { PolicyEngine } from '@blockwork/core';
import { BUCKETS, measureBacklog, measureOperations, metrics, type Metric } from '@blockwork/core/adapter';
import { processMetrics } from './process-metrics.js';
import { MetricFamily } from './prometheus-text.js';

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
