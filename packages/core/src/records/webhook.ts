/** Webhooks: where the owner of a policy is notified of its events, and the events that could not be delivered. */

/** Gaps are always sent, whatever the webhook subscribed to. */
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
  /** Why sending is suspended until the owner resumes it; `null` while events are sent. */
  suspended: string | null;
  /** Whether dead letters are to be sent again. */
  resending: boolean;
  createDate: string;
}

/** An event abandoned after the last attempt. */
export interface DeadLetter {
  id: string;
  webhookId: string;
  /** The body that was sent. */
  body: string;
  messageId: string;
  /** The error of the last attempt. */
  reason: string;
  createDate: string;
}
