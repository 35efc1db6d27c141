/** The work of an engine as spans. */
import {
  channels,
  readTraceparent,
  writeTraceparent,
  type Operation,
  type Operations,
  type TelemetrySource,
} from '@blockwork/core';
import { rememberTraceparent, traceFlagsOf } from '@blockwork/core/adapter';
import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Link,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { guarded } from './guarded.js';
import type { SpanName } from './options.js';
import { contextWith } from './parent-context.js';
import type { Sampler } from './sampling.js';
import { spanShapes, type SpanShape } from './span-shapes.js';

export interface Tracing {
  readonly tracer: Tracer;
  /** Asked before the tracer; all that it drops costs no more. */
  readonly sampler: Sampler | undefined;
}

/** Returns a function that ends it. Spans that have begun are then not ended. */
export function traceWork(source: TelemetrySource, tracing: Tracing, names: readonly SpanName[]): () => void {
  const stops = names.map((name) => traceChannel(name, source, tracing));
  return () => {
    for (const stop of stops) stop();
  };
}

function traceChannel<Name extends SpanName>(
  name: Name,
  source: TelemetrySource,
  { tracer, sampler }: Tracing,
): () => void {
  // TypeScript cannot see that the channel and its spans belong together.
  const shape = spanShapes[name] as SpanShape<Operation>;
  const channel = channels[name] as unknown as (typeof channels)['read'];
  // Every operation ends. The keys of a weak map would cost each collection of garbage.
  const spans = new Map<Operation, Span>();
  return channel.subscribe({
    start: guarded((operation) => {
      if (operation.source !== source) return;
      const causes = shape.causes?.(operation);
      const flags = traceFlagsOf(operation.traceparent);
      const active = activeParent(name, operation, flags);
      if (sampler?.(operation, flags, active?.spanContext(), causes) === false) return;
      const parent = active ?? spanOf(name, operation.traceparent);
      const about: SpanOptions = { kind: shape.kind, attributes: shape.begins(operation) };
      if (causes !== undefined) about.links = causes.flatMap(linkTo);
      const span = tracer.startSpan(
        shape.name(operation),
        about,
        parent === undefined ? ROOT_CONTEXT : contextWith(parent),
      );
      const made = span.spanContext();
      // What nobody records needs no end.
      if (span.isRecording()) spans.set(operation, span);
      // Without an SDK there is no span, and what was received is passed on.
      else if (!isSpanContextValid(made)) return;
      const { traceId, spanId, traceFlags } = made;
      const text = writeTraceparent({ traceId, spanId, flags: traceFlags });
      rememberTraceparent(text);
      operation.traceparent = text;
    }),
    end: guarded((operation) => {
      const span = spans.get(operation);
      if (span === undefined) return;
      spans.delete(operation);
      const ends = shape.ends(operation);
      for (const name in ends) {
        const value = ends[name];
        if (value !== undefined) span.setAttribute(name, value);
      }
      const failure = shape.failure?.(operation) ?? operation.code;
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    }),
  });
}

/**
 * A request over HTTP belongs to the span that is active, if another instrumentation made one. What a program asks belongs to the trace that
 * it names, else to its active span. Work in the background belongs to what caused it: the span that is active there is that of
 * whoever happened to wake it.
 */
function activeParent(name: SpanName, operation: Operation, flags: number | undefined): Span | undefined {
  if ((flags !== undefined && name !== 'http') || isInBackground(name, operation)) return undefined;
  const active = trace.getSpan(context.active());
  return active !== undefined && isSpanContextValid(active.spanContext()) ? active : undefined;
}

function isInBackground(name: SpanName, operation: Operation): boolean {
  if (name !== 'send') return name !== 'http' && name !== 'read';
  const { cause } = operation as Operations['send'];
  return cause !== 'send' && cause !== 'external';
}

/** What a `traceparent` names. */
function spanOf(name: SpanName, traceparent: string | undefined): Span | undefined {
  const parent = readTraceparent(traceparent);
  if (parent === undefined) return undefined;
  const { traceId, spanId, flags: traceFlags } = parent;
  const isRemote = name === 'http' || name === 'message';
  return trace.wrapSpanContext({ traceId, spanId, traceFlags, isRemote });
}

function linkTo(traceparent: string): Link[] {
  const cause = readTraceparent(traceparent);
  if (cause === undefined) return [];
  const { traceId, spanId, flags: traceFlags } = cause;
  return [{ context: { traceId, spanId, traceFlags } }];
}
