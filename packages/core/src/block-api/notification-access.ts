/** How a block tells people something. */
import type { NotificationType } from '../records/index.js';

export interface NotificationInput {
  /** At most 200 characters; more is cut off. */
  readonly title: string;
  /** At most 10,000 characters; more is cut off. */
  readonly message: string;
  /** Default: `INFO`. */
  readonly type?: NotificationType;
  /** Whether opening it opens the policy. Default: no. */
  readonly opensPolicy?: boolean;
}

export interface NotificationSender {
  /** Puts a notification into the inbox of each identity, once, as part of the unit of work. */
  send(recipients: Iterable<string>, notification: NotificationInput): Promise<void>;
}
