/** Webhooks: where the owner of a policy wants to be told what moves in it, and what could not be told. */

/** A webhook is always told of a gap, whatever it asked for. */
export const webhookEvents = ['unit', 'status'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export interface Webhook {
  id: string;
  policyId: string;
  /** The owner of the policy, in whose name it was registered. */
  did: string;
  url: string;
  /** The types of events that are sent. */
  events: WebhookEvent[];
  /** The signing key: `whsec_` and base64. Shown once, when the webhook is registered. */
  secret: string;
  /** The `id` of the last event that needs no further attempt. */
  position: string;
  /** Why nothing is sent until the owner asks for it again; `null` while events are sent. */
  suspended: string | null;
  /** Whether the events that were given up are to be sent again. */
  resending: boolean;
  createDate: string;
}

/** An event that was given up after the last attempt. */
export interface DeadLetter {
  id: string;
  webhookId: string;
  /** The body that was sent. */
  body: string;
  messageId: string;
  /** What went wrong at the last attempt. */
  reason: string;
  createDate: string;
}
