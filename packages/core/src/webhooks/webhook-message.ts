/** A webhook message: an event as CloudEvents JSON, signed according to Standard Webhooks. */
import { createHmac } from 'node:crypto';
import type { PolicyEvent } from '../events/index.js';
import type { Ids, WebhookRequest } from '../ports/index.js';
import type { Webhook } from '../records/index.js';

export type SentEvent = Exclude<PolicyEvent, { type: 'open' }>;

/** One event for one webhook: identical in every attempt. */
export interface WebhookMessage {
  /** Identical in every attempt, so that receivers can deduplicate. */
  readonly id: string;
  readonly body: string;
  /** W3C trace context for the header. */
  readonly traceparent?: string | undefined;
}

/**
 * CloudEvents 1.0, structured mode, with the distributed tracing extension. `now`: ISO 8601, for events without a
 * timestamp.
 */
export function webhookMessage(
  { id, policyId }: Webhook,
  event: SentEvent,
  now: string,
  traceparent?: string,
): WebhookMessage {
  const source = `/policies/${encodeURIComponent(policyId)}`;
  const cloudEvent = {
    specversion: '1.0',
    id: event.id,
    source,
    type: `blockwork.policy.${event.type}`,
    time: event.type === 'gap' ? now : event.at,
    datacontenttype: 'application/json',
    ...(traceparent !== undefined && { traceparent }),
    data: event,
  };
  return { id: `msg_${id}_${event.id}`, body: JSON.stringify(cloudEvent), traceparent };
}

/** `seconds`: time of the attempt since 1970. Receivers refuse messages that are much older. */
export function signedRequest(
  { url, secret }: Webhook,
  { id, body, traceparent }: WebhookMessage,
  seconds: number,
): WebhookRequest {
  const timestamp = String(seconds);
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    url,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
      ...(traceparent !== undefined && { traceparent }),
    },
    body,
  };
}

const PREFIX = 'whsec_';
const SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** Whether it is `whsec_` followed by 24 to 64 bytes in base64 (Standard Webhooks, "Signature scheme"). */
export const isWebhookSecret = (text: string): boolean =>
  SECRET.test(text) && keyOf(text).length >= 24 && keyOf(text).length <= 64;

/** 32 bytes, of which 244 bits are random. */
export function newWebhookSecret(ids: Ids): string {
  const hex = (ids.uuid() + ids.uuid()).replaceAll('-', '');
  return PREFIX + Buffer.from(hex, 'hex').toString('base64');
}
