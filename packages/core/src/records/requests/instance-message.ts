/** Messages between instances, inside the signature: one schema for the common head, and one per kind. */
import { z } from 'zod';
import type { RequestStatus } from '../enumerations.js';
import { messageId, timestamp } from '../identifiers.js';
import type { Json, JsonObject } from '../json/json.js';
import { streamDocumentTypes, streamName } from '../stream-event.js';
import { instanceName, requestedAction, sender } from './remote-request.js';

const openings = ['request', 'cancel'] as const;
const closings = ['completed', 'rejected', 'canceled', 'failed', 'expired'] as const;
export type ClosingType = (typeof closings)[number];
const inquiries = ['inquiry', 'unknown'] as const;
const announcements = ['event'] as const;

/** The head of every message. */
export const messageHead = z.object({
  type: z.enum([...openings, ...closings, ...inquiries, ...announcements]),
  from: sender,
  /** The addressee. */
  to: instanceName,
  policyId: z.string().min(1).max(200),
  /** The conversation id: chosen by the asking side and unique there; of an event, unique in its stream and policy. */
  startMessageId: messageId,
  sentAt: timestamp,
  /** W3C trace context of what caused the message; ignored if it is not valid. */
  traceparent: z.string().max(512).optional().catch(undefined),
  /** Whether the sender takes several messages in one envelope. */
  takesBatches: z.boolean().optional().catch(undefined),
});
export type MessageHead = z.infer<typeof messageHead>;

/** Asks for an action, or cancels it. A cancellation repeats the whole request, because it may arrive first. */
export const openingMessage = messageHead.extend({
  type: z.enum(openings),
  recipient: z.string().min(1).max(500).optional(),
  action: requestedAction,
  expiresAt: timestamp,
});
export type OpeningMessage = z.infer<typeof openingMessage>;

const jsonValue: z.ZodType<Json> = z.json();

/** Tells the asking side the outcome. */
export const closingMessage = messageHead.extend({
  type: z.enum(closings),
  result: jsonValue.optional(),
  reason: z.string().max(2000).optional(),
  error: z.object({ code: z.string().max(100), message: z.string().max(4000) }).optional(),
});
export type ClosingMessage = z.infer<typeof closingMessage>;

/** Asks how a request ended whose answer may be lost. The answer is a closing message, `unknown`, or none while it is open. */
export const inquiryMessage = messageHead.extend({ type: z.literal('inquiry') });
export type InquiryMessage = z.infer<typeof inquiryMessage>;

/** Tells the asking side that its request never arrived, or is long forgotten. */
export const unknownMessage = messageHead.extend({
  type: z.literal('unknown'),
  /** `sentAt` of the inquiry. */
  inquiredAt: timestamp,
});
export type UnknownMessage = z.infer<typeof unknownMessage>;

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** Announces a document on a stream. Nothing is answered. `startMessageId` is the position on the asking side. */
export const eventMessage = messageHead.extend({
  type: z.literal('event'),
  stream: streamName,
  documentType: z.enum(streamDocumentTypes),
  topicId: z.string().max(100),
  documentMessageId: messageId,
  schema: z.string().max(500),
  hash: z.string().max(200),
  owner: z.string().min(1).max(500),
  document: jsonObject,
  /** The DID document of the issuer, unless the DID says its own key. */
  issuer: jsonObject.nullable(),
});
export type EventMessage = z.infer<typeof eventMessage>;

export type InstanceMessage = OpeningMessage | ClosingMessage | InquiryMessage | UnknownMessage | EventMessage;

export const statusOf: Readonly<Record<ClosingType, Exclude<RequestStatus, 'NEW'>>> = {
  completed: 'COMPLETED',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
  failed: 'ERROR',
  expired: 'EXPIRED',
};

export const isClosingType = (type: MessageHead['type']): type is ClosingType => type in statusOf;

/** The message type that reports this status. */
export function closingTypeOf(status: Exclude<RequestStatus, 'NEW'>): ClosingType {
  const closing = closings.find((type) => statusOf[type] === status);
  if (closing === undefined) throw new TypeError(`No message tells of the status ${status}.`);
  return closing;
}
