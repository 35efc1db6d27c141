/** Turns the operations of an engine into spans. */
import {
  channels,
  type Operation,
  type Operations,
  readTraceparent,
  type TelemetrySource,
  writeTraceparent,
} from '@blockwork/core';
import { rememberTraceparent, traceFlagsOf } from '@blockwork/core/adapter';
import {
  type Attributes,
  type AttributeValue,
  context,
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { guarded } from './guarded.js';
import type { SpanName } from './options.js';
import type { Sampler } from './sampling.js';

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

/** Adds one value to another context. */
class Layer implements Context {
  constructor(
    private readonly key: symbol,
    private readonly value: unknown,
    private readonly base: Context,
  ) {}

  getValue(key: symbol): unknown {
    return key === this.key ? this.value : this.base.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new Layer(key, value, this);
  }

  deleteValue(key: symbol): Context {
    return new Layer(key, undefined, this);
  }
}

const empty = new Layer(Symbol('nothing'), undefined, ROOT_CONTEXT);

/** A context that contains only the parent span. */
const contextWith = (parent: Span): Context => trace.setSpan(empty, parent);

interface SpanShape<Work extends Operation> {
  readonly name: (operation: Work) => string;
  readonly kind: SpanKind;
  /** Attributes known at the start, so that samplers see them. */
  readonly startAttributes: (operation: Work) => Readonly<Record<string, AttributeValue>>;
  readonly endAttributes: (operation: Work) => Attributes;
  /** Trace contexts to link to. */
  readonly causes?: (operation: Work) => readonly string[];
  /** The value of `error.type`, if it is not the error code of the operation. */
  readonly failure?: (operation: Work) => string | undefined;
}

type SpanShapes = { readonly [Name in keyof Operations]: SpanShape<Operations[Name]> };

/** Attribute names are literals: objects with computed keys are slower, and each span needs two. */
const spanShapes: SpanShapes = {
  read: {
    name: () => 'blockwork.read',
    kind: SpanKind.INTERNAL,
    startAttributes: ({ policyId }) => ({ 'blockwork.policy.id': policyId }),
    endAttributes: ({ block, blockType, kept: isCached }) => ({
      'blockwork.block.tag': block,
      'blockwork.block.type': blockType,
      'blockwork.read.kept': isCached,
    }),
  },
  send: {
    name: () => 'blockwork.send',
    kind: SpanKind.INTERNAL,
    startAttributes: ({ policyId, cause }) => ({ 'blockwork.policy.id': policyId, 'blockwork.cause': cause }),
    endAttributes: ({ block, blockType, attempts, changes, events }) => ({
      'blockwork.block.tag': block,
      'blockwork.block.type': blockType,
      'blockwork.attempts': attempts,
      'blockwork.changes': changes,
      'blockwork.events': events,
    }),
  },
  commit: {
    name: () => 'blockwork.commit',
    kind: SpanKind.INTERNAL,
    startAttributes: ({ units, changes }) => ({ 'blockwork.units': units, 'blockwork.changes': changes }),
    endAttributes: () => ({}),
    causes: ({ traceparents }) => traceparents,
  },
  settle: {
    name: () => 'blockwork.settle',
    kind: SpanKind.CLIENT,
    startAttributes: ({ policyId, effectId }) => ({ 'blockwork.policy.id': policyId, 'blockwork.effect.id': effectId }),
    endAttributes: ({ effectType }) => ({ 'blockwork.effect.type': effectType }),
  },
  outbox: {
    name: ({ topic }) => `send ${topic}`,
    kind: SpanKind.PRODUCER,
    startAttributes: ({ messageId, topic, messageType }) => ({
      ...messaging('send', messageId, topic),
      'blockwork.message.type': messageType,
    }),
    endAttributes: () => ({}),
  },
  message: {
    name: ({ topic }) => `process ${topic}`,
    kind: SpanKind.CONSUMER,
    startAttributes: ({ messageId, topic, messageType, from }) => ({
      ...messaging('process', messageId, topic),
      ...(messageType !== undefined && { 'blockwork.message.type': messageType }),
      ...(from !== undefined && { 'blockwork.peer': from }),
    }),
    endAttributes: () => ({}),
  },
  webhook: {
    name: () => 'POST',
    kind: SpanKind.CLIENT,
    startAttributes: ({ policyId, webhookId, messageId, origin }) => ({
      'blockwork.policy.id': policyId,
      'blockwork.webhook.id': webhookId,
      'http.request.method': 'POST',
      ...serverOf(origin),
      'blockwork.message.id': messageId,
    }),
    endAttributes: ({ status }) => ({ 'http.response.status_code': status }),
    failure: ({ status }) => status?.toString(),
  },
  timer: {
    name: () => 'blockwork.timer',
    kind: SpanKind.INTERNAL,
    startAttributes: ({ policyId, timerType, lateMs }) => ({
      'blockwork.policy.id': policyId,
      'blockwork.timer.type': timerType,
      'blockwork.timer.late_ms': lateMs,
    }),
    endAttributes: () => ({}),
  },
  http: {
    name: ({ method, route }) => `${method} ${route}`,
    kind: SpanKind.SERVER,
    startAttributes: ({ method, route, requestId }) => ({
      'http.request.method': method,
      'http.route': route,
      'blockwork.request.id': requestId,
    }),
    endAttributes: ({ status }) => ({ 'http.response.status_code': status }),
    failure: ({ status = 0 }) => (status >= 500 ? status.toString() : undefined),
  },
};

const messaging = (operation: 'send' | 'process', messageId: string, topic: string) => ({
  'messaging.system': 'blockwork',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': topic,
  'messaging.message.id': messageId,
});

function serverOf(origin: string) {
  const { hostname, port, protocol } = new URL(origin);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) };
}
