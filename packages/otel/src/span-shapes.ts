/** How each kind of work looks as a span: names and attributes of the semantic conventions where there are some. */
import type { Operation, Operations } from '@blockwork/core';
import { SpanKind, type Attributes, type AttributeValue } from '@opentelemetry/api';

export interface SpanShape<Work extends Operation> {
  readonly name: (operation: Work) => string;
  readonly kind: SpanKind;
  /** Attributes that are known at the start, so that samplers see them. */
  readonly begins: (operation: Work) => Readonly<Record<string, AttributeValue>>;
  readonly ends: (operation: Work) => Attributes;
  /** Trace contexts to link to. */
  readonly causes?: (operation: Work) => readonly string[];
  /** The error, where it is not that of the operation. */
  readonly failure?: (operation: Work) => string | undefined;
}

type SpanShapes = { readonly [Name in keyof Operations]: SpanShape<Operations[Name]> };

/** Names of attributes are written out: an object with computed names costs more, and two are made for each span. */
export const spanShapes: SpanShapes = {
  read: {
    name: () => 'blockwork.read',
    kind: SpanKind.INTERNAL,
    begins: ({ policyId }) => ({ 'blockwork.policy.id': policyId }),
    ends: ({ block, blockType, kept }) => ({
      'blockwork.block.tag': block,
      'blockwork.block.type': blockType,
      'blockwork.read.kept': kept,
    }),
  },
  send: {
    name: () => 'blockwork.send',
    kind: SpanKind.INTERNAL,
    begins: ({ policyId, cause }) => ({ 'blockwork.policy.id': policyId, 'blockwork.cause': cause }),
    ends: ({ block, blockType, attempts, changes, events }) => ({
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
    begins: ({ units, changes }) => ({ 'blockwork.units': units, 'blockwork.changes': changes }),
    ends: () => ({}),
    causes: ({ traceparents }) => traceparents,
  },
  settle: {
    name: () => 'blockwork.settle',
    kind: SpanKind.CLIENT,
    begins: ({ policyId, effectId }) => ({ 'blockwork.policy.id': policyId, 'blockwork.effect.id': effectId }),
    ends: ({ effectType }) => ({ 'blockwork.effect.type': effectType }),
  },
  outbox: {
    name: ({ topic }) => `send ${topic}`,
    kind: SpanKind.PRODUCER,
    begins: ({ messageId, topic, messageType }) => ({
      ...messaging('send', messageId, topic),
      'blockwork.message.type': messageType,
    }),
    ends: () => ({}),
  },
  message: {
    name: ({ topic }) => `process ${topic}`,
    kind: SpanKind.CONSUMER,
    begins: ({ messageId, topic, messageType, from }) => ({
      ...messaging('process', messageId, topic),
      ...(messageType !== undefined && { 'blockwork.message.type': messageType }),
      ...(from !== undefined && { 'blockwork.peer': from }),
    }),
    ends: () => ({}),
  },
  webhook: {
    name: () => 'POST',
    kind: SpanKind.CLIENT,
    begins: ({ policyId, webhookId, messageId, origin }) => ({
      'blockwork.policy.id': policyId,
      'blockwork.webhook.id': webhookId,
      'http.request.method': 'POST',
      ...serverOf(origin),
      'blockwork.message.id': messageId,
    }),
    ends: ({ status }) => ({ 'http.response.status_code': status }),
    failure: ({ status }) => status?.toString(),
  },
  timer: {
    name: () => 'blockwork.timer',
    kind: SpanKind.INTERNAL,
    begins: ({ policyId, timerType, lateMs }) => ({
      'blockwork.policy.id': policyId,
      'blockwork.timer.type': timerType,
      'blockwork.timer.late_ms': lateMs,
    }),
    ends: () => ({}),
  },
  http: {
    name: ({ method, route }) => `${method} ${route}`,
    kind: SpanKind.SERVER,
    begins: ({ method, route, requestId }) => ({
      'http.request.method': method,
      'http.route': route,
      'blockwork.request.id': requestId,
    }),
    ends: ({ status }) => ({ 'http.response.status_code': status }),
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
