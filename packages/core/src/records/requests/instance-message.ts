/** Messages between instances, inside the signature: one schema for the common head, and one per kind. */
import { z } from 'zod';
import type { RequestStatus } from '../enumerations.js';
import { messageId, timestamp } from '../identifiers.js';
import type { Json } from '../json/json.js';
import { instanceName, requestedAction, sender } from './remote-request.js';

const openings = ['request', 'cancel'] as const;
const closings = ['completed', 'rejected', 'canceled', 'failed', 'expired'] as const;
export type ClosingType = (typeof closings)[number];
const inquiries = ['inquiry', 'unknown'] as const;

/** The head of every message. */
export const messageHead = z.object({
  type: z.enum([...openings, ...closings, ...inquiries]),
  from: sender,
  /** The addressee. */
  to: instanceName,
  policyId: z.string().min(1).max(200),
  /** The conversation id: chosen by the asking side and unique there. */
  startMessageId: messageId,
  sentAt: timestamp,
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

export type InstanceMessage = OpeningMessage | ClosingMessage | InquiryMessage | UnknownMessage;

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
  const found = closings.find((type) => statusOf[type] === status);
  if (found === undefined) throw new TypeError(`No message tells of the status ${status}.`);
  return found;
}
