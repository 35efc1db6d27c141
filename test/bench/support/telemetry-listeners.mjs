/** The ways in which the benchmark of telemetry listens to an engine: the SDK as programs set it up, with exporters that drop everything. */
import { channels } from '@blockwork/core';
import { startTelemetry } from '@blockwork/otel';
import { createMetricProducer } from '@blockwork/otel/producer';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

const done = (_, callback) => callback({ code: 0 });
const none = { shutdown: () => Promise.resolve(), forceFlush: () => Promise.resolve() };

const traced = (options) =>
  new BasicTracerProvider({ ...options, spanProcessors: [new BatchSpanProcessor({ export: done, ...none })] });
const metricsTo = (metricProducers) => {
  const reader = new PeriodicExportingMetricReader({ exporter: { export: done, ...none }, metricProducers });
  return new MeterProvider({ readers: [reader] });
};
const meterProvider = metricsTo([]);
const metricProducer = createMetricProducer();
metricsTo([metricProducer]);
const [few, all] = [traced({ sampler: new TraceIdRatioBasedSampler(0.01) }), traced({})];
const tracer = all.getTracer('bare');

/** By name, a function that starts listening and returns the one that stops it. */
export function telemetryListeners(engine) {
  const silent = () => () => undefined;
  return {
    without: silent,
    silent,
    instruments: () => startTelemetry(engine, { meterProvider, spans: [] }),
    metrics: () => startTelemetry(engine, { metricProducer, spans: [] }),
    dropped: () => startTelemetry(engine, { metricProducer, tracerProvider: all, sampleRatio: 0.01 }),
    sampled: () => startTelemetry(engine, { metricProducer, tracerProvider: few }),
    bare: () => {
      const stops = [startTelemetry(engine, { metricProducer, spans: [] }), ...bareSpans()];
      return () => stops.forEach((stop) => stop());
    },
    spans: () => startTelemetry(engine, { metricProducer, tracerProvider: all }),
  };
}

/**
 * Resolves to a program that makes the spans of a call with the SDK alone: those with the same names, kinds, attributes, parents and links. All of
 * that is known beforehand, so nothing is worked out for them.
 */
export async function spansAlone(engine, call) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const stop = startTelemetry(engine, { metricProducer: createMetricProducer(), tracerProvider });
  await call();
  stop();
  const byStart = ({ startTime: [seconds, nanos] }, { startTime }) => seconds - startTime[0] || nanos - startTime[1];
  const spans = exporter.getFinishedSpans().sort(byStart);
  const ids = spans.map((span) => span.spanContext().spanId);
  const recorded = spans.map(({ name, kind, attributes, links, status, parentSpanContext }) => {
    const parent = parentSpanContext === undefined ? -1 : ids.indexOf(parentSpanContext.spanId);
    return { name, about: { kind, attributes, links }, status, parent };
  });
  return () => {
    const made = [];
    for (const { name, about, parent } of recorded) {
      const context = parent === -1 ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, made[parent]);
      made.push(tracer.startSpan(name, about, context));
    }
    for (const span of made) span.end();
  };
}

/** What the SDK alone takes: a span with some attributes for each operation, below none, and passed on to nobody. */
function bareSpans() {
  return Object.values(channels).map((channel) => {
    const spans = new Map();
    return channel.subscribe({
      start: (operation) => {
        const attributes = { 'bare.name': channel.name, 'bare.policy': operation.policyId ?? '' };
        spans.set(operation, tracer.startSpan(channel.name, { attributes }));
      },
      end: (operation) => {
        const span = spans.get(operation);
        spans.delete(operation);
        span.setAttribute('bare.block', operation.block ?? '');
        span.setAttribute('bare.type', operation.blockType ?? '');
        span.end();
      },
    });
  });
}
