/** Sending notifications from a block. */
import type { NotificationType } from '../records/index.js';

export interface NotificationInput {
  /** Truncated to 200 characters. */
  readonly title: string;
  /** Truncated to 10,000 characters. */
  readonly message: string;
  /** Default: `INFO`. */
  readonly type?: NotificationType;
  /** Whether opening the notification opens the policy. Default: false. */
  readonly opensPolicy?: boolean;
}

export interface NotificationSender {
  /** Adds a notification to the inbox of each recipient, once, as part of the unit of work. */
  send(recipients: Iterable<string>, notification: NotificationInput): Promise<void>;
}
