/** What instances say to each other, inside the signature: one schema for what every message has, one for each kind. */
import { z } from 'zod';
import type { RequestStatus } from '../enumerations.js';
import { messageId, timestamp } from '../identifiers.js';
import type { Json } from '../json/json.js';
import { instanceName, requestedAction, sender } from './remote-request.js';

const openings = ['request', 'cancel'] as const;
const closings = ['completed', 'rejected', 'canceled', 'failed', 'expired'] as const;
export type ClosingType = (typeof closings)[number];

/** What every message says. */
export const messageHead = z.object({
  type: z.enum([...openings, ...closings]),
  from: sender,
  /** The instance that it is for. */
  to: instanceName,
  policyId: z.string().min(1).max(200),
  /** The conversation: given by the side that asks, unique for it. */
  startMessageId: messageId,
  sentAt: timestamp,
});
export type MessageHead = z.infer<typeof messageHead>;

/** Asks for an action; or takes that back, and says it all again, since the first message may come second. */
export const openingMessage = messageHead.extend({
  type: z.enum(openings),
  recipient: z.string().min(1).max(500).optional(),
  action: requestedAction,
  expiresAt: timestamp,
});
export type OpeningMessage = z.infer<typeof openingMessage>;

const jsonValue: z.ZodType<Json> = z.json();

/** Tells the side that asked how it ended. */
export const closingMessage = messageHead.extend({
  type: z.enum(closings),
  result: jsonValue.optional(),
  reason: z.string().max(2000).optional(),
  error: z.object({ code: z.string().max(100), message: z.string().max(4000) }).optional(),
});
export type ClosingMessage = z.infer<typeof closingMessage>;

export type InstanceMessage = OpeningMessage | ClosingMessage;

export const statusOf: Readonly<Record<ClosingType, Exclude<RequestStatus, 'NEW'>>> = {
  completed: 'COMPLETED',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
  failed: 'ERROR',
  expired: 'EXPIRED',
};

export const isClosingType = (type: MessageHead['type']): type is ClosingType => type in statusOf;

/** The message that says so. */
export function closingTypeOf(status: Exclude<RequestStatus, 'NEW'>): ClosingType {
  const found = closings.find((type) => statusOf[type] === status);
  if (found === undefined) throw new TypeError(`No message tells of the status ${status}.`);
  return found;
}
