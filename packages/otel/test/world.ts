/** An engine with telemetry, and in-memory exporters that show what the SDK receives. */
import { createEngine, type Caller, type EngineOptions, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { startTelemetry, type TelemetryOptions } from '@blockwork/otel';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { afterEach } from 'vitest';
import { z } from 'zod';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
export const alice: Caller = { did: 'did:example:alice', role: 'USER' };

export const TRACE = '0af7651916cd43dd8448eb211c80319c';
export const PARENT = 'b7ad6b7169203331';
export const traceparent = `00-${TRACE}-${PARENT}-01`;

/** Counts its inputs. */
const note = defineBlock({
  type: 'note',
  title: '',
  description: '',
  kind: 'interface',
  input: z.looseObject({}),
  read: (ctx) => ctx.state.get(z.number()).then((count) => count ?? 0),
  receive: async (ctx) => ctx.state.set(((await ctx.state.get(z.number())) ?? 0) + 1),
});

const config = (blockType: string, tag: string, children: unknown[] = []): object => ({
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  children,
});
export const policy = {
  id: 'notes',
  name: 'Notes',
  config: config('interfaceContainerBlock', 'root', [config('note', 'note')]),
};

export interface Watched {
  readonly engine: PolicyEngine;
  readonly stop: () => void;
  readonly tracerProvider: BasicTracerProvider;
  /** Ended spans, in the order in which they ended. */
  readonly spans: (name?: string) => ReadableSpan[];
  readonly read: (tag?: string, options?: { traceparent?: string }) => Promise<string>;
  readonly send: (options?: { traceparent?: string }) => Promise<unknown>;
  /** The exported metrics, by name. */
  readonly measured: () => Promise<ReadonlyMap<string, MetricData>>;
  readonly close: () => Promise<void>;
}

/** With `metricProducers`, the metrics are those of the reader they are attached to. */
export async function watched(
  options: TelemetryOptions = {},
  ports: EngineOptions = {},
  metricProducers: MetricProducer[] = [],
): Promise<Watched> {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const { meterProvider, measured } = metricsInMemory(metricProducers);
  const engine = createEngine({ blocks: [note], ...ports });
  await engine.importPolicy(owner, policy);
  const stop = startTelemetry(engine, {
    tracerProvider,
    ...(options.metricProducer === undefined && { meterProvider }),
    ...options,
  });
  return {
    engine,
    stop,
    tracerProvider,
    spans: (name) => spans.getFinishedSpans().filter((span) => name === undefined || span.name === name),
    read: (tag = 'note', read = {}) => engine.readBlockText(alice, policy.id, { tag }, {}, read),
    send: (send = {}) => engine.sendToBlock(alice, policy.id, { tag: 'note' }, {}, send),
    measured,
    close: async () => {
      stop();
      await meterProvider.shutdown();
      await engine.close();
    },
  };
}

/** Returns `watched` for the tests of one file; everything it opens is closed after each test. */
export function closedAfterEach(): typeof watched {
  const open: Watched[] = [];
  afterEach(async () => {
    for (const world of open.splice(0)) await world.close();
  });
  return async (...about) => {
    const world = await watched(...about);
    open.push(world);
    return world;
  };
}

/** A meter provider, and its exported metrics by name. */
export function metricsInMemory(metricProducers: MetricProducer[] = []) {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000, metricProducers });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const measured = async (): Promise<ReadonlyMap<string, MetricData>> => {
    exporter.reset();
    await meterProvider.forceFlush();
    const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return new Map(scopes.flatMap(({ metrics }) => metrics.map((metric) => [metric.descriptor.name, metric] as const)));
  };
  return { meterProvider, measured };
}

/** The ids of a span. */
export const idsOf = (span: ReadableSpan | undefined) => ({
  trace: span?.spanContext().traceId,
  span: span?.spanContext().spanId,
  parent: span?.parentSpanContext?.spanId,
});

/** The values of a metric, each with its attributes. */
export const pointsOf = (metric: MetricData | undefined) =>
  (metric?.dataPoints ?? []).map(({ attributes, value }: DataPoint<unknown>) => ({ ...attributes, value }));
