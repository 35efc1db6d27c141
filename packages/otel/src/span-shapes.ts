/** Describes the span of each kind of operation, following the semantic conventions where they cover it. */
import type { Operation, Operations } from '@blockwork/core';
import { SpanKind, type Attributes, type AttributeValue } from '@opentelemetry/api';

export interface SpanShape<Work extends Operation> {
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
export const spanShapes: SpanShapes = {
  read: {
    name: () => 'blockwork.read',
    kind: SpanKind.INTERNAL,
    startAttributes: ({ policyId }) => ({ 'blockwork.policy.id': policyId }),
    endAttributes: ({ block, blockType, kept }) => ({
      'blockwork.block.tag': block,
      'blockwork.block.type': blockType,
      'blockwork.read.kept': kept,
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
