/** Turns the operations of an engine into spans. */
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
  /** Decides before the tracer, so that dropped operations cost nothing more. */
  readonly sampler: Sampler | undefined;
}

/** Returns a function that stops it. Spans that are open at that time are never ended. */
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
  // TypeScript cannot tell that the channel and the shape have the same operation type.
  const shape = spanShapes[name] as SpanShape<Operation>;
  const channel = channels[name] as unknown as (typeof channels)['read'];
  // Does not leak, since every operation ends. A WeakMap would slow down each garbage collection.
  const spans = new Map<Operation, Span>();
  return channel.subscribe({
    start: guarded((operation) => {
      if (operation.source !== source) return;
      const causes = shape.causes?.(operation);
      const flags = traceFlagsOf(operation.traceparent);
      const active = activeParent(name, operation, flags);
      if (sampler?.(operation, flags, active?.spanContext(), causes) === false) return;
      const parent = active ?? spanOf(name, operation.traceparent);
      const about: SpanOptions = { kind: shape.kind, attributes: shape.startAttributes(operation) };
      if (causes !== undefined) about.links = causes.flatMap(linkTo);
      const span = tracer.startSpan(
        shape.name(operation),
        about,
        parent === undefined ? ROOT_CONTEXT : contextWith(parent),
      );
      const spanContext = span.spanContext();
      // A span that is not recorded need not be ended.
      if (span.isRecording()) spans.set(operation, span);
      // Without an SDK there is no span, and the received context is passed on unchanged.
      else if (!isSpanContextValid(spanContext)) return;
      const { traceId, spanId, traceFlags } = spanContext;
      const text = writeTraceparent({ traceId, spanId, flags: traceFlags });
      rememberTraceparent(text);
      operation.traceparent = text;
    }),
    end: guarded((operation) => {
      const span = spans.get(operation);
      if (span === undefined) return;
      spans.delete(operation);
      const attributes = shape.endAttributes(operation);
      for (const name in attributes) {
        const value = attributes[name];
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
 * The active span, if it is the parent. An HTTP request belongs to the span that another instrumentation has made
 * active. A call by the program belongs to the trace it names, or else to its active span. Background work belongs to
 * its cause: the span active there is that of whatever happened to trigger it.
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

/** The span that a `traceparent` names. */
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
