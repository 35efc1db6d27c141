/** Where notifications go besides the inboxes: mail, push, chat. */
import type { Notification } from '../records/index.js';

export interface Notifications {
  /**
   * Called once for each notification, after the commit that it came with; not for those of a trial. A rejection is logged
   * and not retried: the notification stays in the inbox, which is the record of it.
   */
  deliver(notification: Notification): Promise<void>;
}
