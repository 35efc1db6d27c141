/** Requests for an action that remote instances send, and the rows of the inbox that hold them. */
import { z } from 'zod';
import type { RequestStatus } from './enumerations.js';
import { messageId, timestamp } from './identifiers.js';
import type { Json } from './json.js';
import { policyRecord } from './policy-record.js';
import type { PolicyRecord } from './policy-record.js';

/** A remote instance, and the identity in whose name it speaks. */
export const sender = z.object({
  instance: z.string().min(1).max(200),
  did: z.string().min(1).max(500),
});
export type Sender = z.infer<typeof sender>;

const jsonValue: z.ZodType<Json> = z.json();

/** What a remote instance asks for. */
export const requestedAction = z.discriminatedUnion('type', [
  /** Take over a policy: its record, with the configuration in `config`. */
  z.object({
    type: z.literal('import-policy'),
    policy: policyRecord
      .omit({ userRole: true, userRoles: true, userGroup: true, userGroups: true })
      .extend({ config: z.record(z.string(), z.unknown()) }),
  }),
  /** Send data to a block of a policy hosted here, for a user whose home is the remote instance. */
  z.object({
    type: z.literal('send-data'),
    tag: z.string().min(1),
    user: z.object({ did: z.string().min(1).max(500), username: z.string().max(200).optional() }),
    data: jsonValue,
  }),
]);
export type RequestedAction = z.infer<typeof requestedAction>;

/** A message that asks for an action. */
export const requestMessage = z.object({
  messageId,
  /** The message that began the conversation; the message itself when absent. */
  startMessageId: messageId.optional(),
  sender,
  /** Local identity that the request is meant for; anybody with the permission when absent. */
  recipient: z.string().min(1).max(500).optional(),
  policyId: z.string().min(1).max(200),
  action: requestedAction,
  /** From this moment on the request can no longer be approved. */
  expiresAt: timestamp.optional(),
});
export type RequestMessage = z.infer<typeof requestMessage>;

/** A row of the inbox. Everything but `status` and what follows it is as the message said. */
export interface RemoteRequest {
  /** The message identifier. */
  id: string;
  messageId: string;
  startMessageId: string;
  type: RequestedAction['type'];
  policyId: string;
  sender: Sender;
  recipient: string | null;
  action: RequestedAction;
  receivedAt: string;
  expiresAt: string | null;
  status: RequestStatus;
  /** Who closed the request, when, and how it ended; absent while it is `NEW`. */
  closed?: RequestClosing;
}

export interface RequestClosing {
  by: string;
  at: string;
  /** The approved record, without the per-caller fields. */
  record?: Omit<PolicyRecord, 'userRole' | 'userRoles' | 'userGroup' | 'userGroups'>;
  /** What the block answered, for data sent to a block. */
  result?: Json;
  /** Why the action could not be carried out. */
  error?: { code: string; message: string };
}

/** A message on its way out: committed with the change that caused it, and sent after. */
export interface OutboxMessage {
  /** Idempotency key: a link that sees it twice delivers once. */
  id: string;
  topic: string;
  message: Json;
  createdAt: string;
}
