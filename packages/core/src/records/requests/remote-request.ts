/** Requests for an action that one instance sends to another, and the rows in which both sides keep them. */
import { z } from 'zod';
import type { RequestStatus } from '../enumerations.js';
import { messageId, timestamp } from '../identifiers.js';
import type { Json, JsonObject } from '../json/json.js';
import { policyRecord } from '../policies/policy-record.js';
import type { PolicyRecord } from '../policies/policy-record.js';

/** The name of an instance, unique among those that know each other. */
export const instanceName = z.string().min(1).max(200);

const did = z.string().min(1).max(500);

/** An instance, and the identity in whose name it speaks. */
export const sender = z.object({ instance: instanceName, did });
export type Sender = z.infer<typeof sender>;

const jsonValue: z.ZodType<Json> = z.json();
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), jsonValue);

const offeredRecord = policyRecord.omit({ userRole: true, userRoles: true, userGroup: true, userGroups: true });

/** What is asked for. */
export const requestedAction = z.discriminatedUnion('type', [
  /** Take over a policy: its record, with the configuration in `config`. */
  z.object({
    type: z.literal('import-policy'),
    policy: offeredRecord.extend({ config: z.record(z.string(), z.unknown()) }),
    /** The sender goes on hosting it: what is taken over is a view (status `VIEW`), and data for its blocks is sent there. */
    view: z.literal(true).optional(),
  }),
  /** Send data to a block of a policy hosted by the addressee, for a user whose home is the sender. */
  z.object({
    type: z.literal('send-data'),
    tag: z.string().min(1).max(500),
    user: z.object({ did, username: z.string().max(200).optional() }),
    data: jsonValue,
  }),
  /** Sign a credential with the keys of a user whose home is the addressee. */
  z.object({
    type: z.literal('sign'),
    signer: did,
    credential: jsonObject,
    /** The policy that the credential is for. */
    policy: offeredRecord.omit({ config: true }),
  }),
]);
export type RequestedAction = z.infer<typeof requestedAction>;
export const requestType = z.enum(['import-policy', 'send-data', 'sign']);
export type RequestType = RequestedAction['type'];

/** A request that a program hands in itself, of an instance that it vouches for. */
export const requestMessage = z.object({
  messageId,
  /** The id of the conversation; the message's own when absent. */
  startMessageId: messageId.optional(),
  sender,
  /** Local identity that an offered policy is meant for; anybody with the permission when absent. */
  recipient: did.optional(),
  policyId: z.string().min(1).max(200),
  action: requestedAction,
  /** From this moment on the request can no longer be approved. */
  expiresAt: timestamp.optional(),
});
export type RequestMessage = z.infer<typeof requestMessage>;

/** One conversation, as one of its two sides keeps it. */
export interface RemoteRequest {
  /** The message identifier. */
  id: string;
  /** What this side calls it: of an incoming request the id of its message, of an outgoing one the conversation's. */
  messageId: string;
  /** What both sides call the conversation: given by the side that asks, unique for it. */
  startMessageId: string;
  direction: 'incoming' | 'outgoing';
  type: RequestType;
  policyId: string;
  sender: Sender;
  /** The instance that is asked. */
  to: string;
  /** Identity that the message named. */
  recipient: string | null;
  /** The local identity that may decide (incoming) or that asks (outgoing); anybody with the permission when `null`. */
  concerns: string | null;
  action: RequestedAction;
  /** When this side's row was made. */
  receivedAt: string;
  expiresAt: string;
  status: RequestStatus;
  /** What the row has been, oldest first; the last entry is the present. */
  history: RequestStep[];
  /** How it ended; absent while it is `NEW`. */
  closed?: RequestClosing;
  /** Outgoing: when and by whom the other side was asked to drop it. Until it answers, nobody knows who was faster. */
  cancelAsked?: { by: string; at: string };
  /** Outgoing: which block goes on when it ends. */
  resume?: ResumePoint;
}

export interface RequestStep {
  status: RequestStatus;
  at: string;
  /** An identity, or an instance. */
  by: string;
}

/** The block that is given `{messageId, status, result, error}` in the name of this user, in the unit that closes the request. */
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
  /** What the block answered, for data sent to a block; the signed credential, for a signature. */
  result?: Json;
  /** Why it was rejected, in the words of whoever did. */
  reason?: string;
  /** Why the action could not be carried out. */
  error?: { code: string; message: string };
  /** Why the block that was to go on did not. */
  resumeError?: { code: string; message: string };
}

/** A message on its way out: committed with the change that caused it, and sent after. */
export interface OutboxMessage {
  /** Idempotency key: a link that sees it twice delivers once. */
  id: string;
  topic: string;
  message: Json;
  createdAt: string;
}
