/** Delivers notifications beyond the inboxes: by mail, push or chat. */
import type { Notification } from '../records/index.js';

export interface Notifications {
  /**
   * Called once for each notification, after the commit that contains it; not for notifications of a trial. A rejection
   * is logged and not retried: the inbox is the record of the notification.
   */
  deliver(notification: Notification): Promise<void>;
}
