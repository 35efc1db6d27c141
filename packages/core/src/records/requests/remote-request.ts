/** Requests for an action that one instance sends to another, and the rows in which both sides keep them. */
import { requestedAction, sender } from '@blockwork/contract/records';
import { z } from 'zod';
import type { RequestStatus } from '../enumerations.js';
import { messageId, timestamp } from '../identifiers.js';
import type { Json } from '../json/json.js';
import type { PolicyRecord } from '../policies/policy-record.js';

export { instanceName, requestedAction, requestType, sender } from '@blockwork/contract/records';

export type Sender = z.infer<typeof sender>;
/** The requested action. */
export type RequestedAction = z.infer<typeof requestedAction>;
export type RequestType = RequestedAction['type'];

/** A request that the embedding program passes in, vouching for the sender. */
export const requestMessage = z.object({
  messageId,
  /** The id of the conversation; the message's own when absent. */
  startMessageId: messageId.optional(),
  sender,
  /** Local identity that an offered policy is meant for; anyone with the permission when absent. */
  recipient: sender.shape.did.optional(),
  policyId: z.string().min(1).max(200),
  action: requestedAction,
  /** From this time on the request can no longer be approved. */
  expiresAt: timestamp.optional(),
});
export type RequestMessage = z.infer<typeof requestMessage>;

/** One conversation, as one of its two sides keeps it. */
export interface RemoteRequest {
  /** The message identifier. */
  id: string;
  /** This side's id: the message's for an incoming request, the conversation's for an outgoing one. */
  messageId: string;
  /** The conversation id: chosen by the asking side and unique there. */
  startMessageId: string;
  direction: 'incoming' | 'outgoing';
  type: RequestType;
  policyId: string;
  sender: Sender;
  /** The receiving instance. */
  to: string;
  /** Identity that the message named. */
  recipient: string | null;
  /** The local identity that may decide (incoming) or that asks (outgoing); anyone with the permission when `null`. */
  concerns: string | null;
  action: RequestedAction;
  /** When this side's row was created. */
  receivedAt: string;
  expiresAt: string;
  status: RequestStatus;
  /** The row's statuses, oldest first; the last one is current. */
  history: RequestStep[];
  /** W3C trace context of what asked for it, where it had one. */
  traceparent?: string;
  /** The outcome; absent while `NEW`. */
  closed?: RequestClosing;
  /** Outgoing: when and by whom cancellation was requested. The other side decides whether it came in time. */
  cancelAsked?: { by: string; at: string };
  /** Outgoing: the last time the other side was asked how it ended. */
  inquiry?: RequestInquiry;
  /** Outgoing: the block that resumes with the outcome. */
  resume?: ResumePoint;
}

export interface RequestInquiry {
  at: string;
  /** Whether the request had expired by then. */
  isOverdue: boolean;
  /** Whether the other side knew nothing of the request, so that it was sent again. */
  isSentAgain?: true;
}

export interface RequestStep {
  status: RequestStatus;
  at: string;
  /** An identity, or an instance. */
  by: string;
}

/** The block that receives `{messageId, status, result, error}` on behalf of this user, in the unit that closes the request. */
export interface ResumePoint {
  policyId: string;
  tag: string;
  user: { did: string; username?: string };
}

export interface RequestClosing {
  by: string;
  at: string;
  /** The approved record, without the per-caller fields. */
  record?: Omit<PolicyRecord, 'userRole' | 'userRoles' | 'userGroup' | 'userGroups'>;
  /** The block's answer for data sent to a block; the signed credential for a signature. */
  result?: Json;
  /** The reason given for a rejection. */
  reason?: string;
  /** Why the action could not be carried out. */
  error?: { code: string; message: string };
  /** Why the block could not resume. */
  resumeError?: { code: string; message: string };
}

/** An outgoing message, committed with the change that caused it and sent afterwards. */
export interface OutboxMessage {
  /** Idempotency key: a link that sees it twice delivers it once. */
  id: string;
  topic: string;
  message: Json;
  createdAt: string;
}
