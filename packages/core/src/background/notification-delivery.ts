/** Delivers committed notifications to the notifications port. */
import type { ChangeSet, Logger, Notifications } from '../ports/index.js';
import type { Notification } from '../records/index.js';
import type { CommitListener } from '../transactions/index.js';
import { InFlight } from './in-flight.js';

export class NotificationDelivery implements CommitListener {
  readonly #deliveries = new InFlight();

  constructor(
    private readonly notifications: Notifications,
    private readonly logger: Logger,
  ) {}

  committed({ changes }: ChangeSet): void {
    for (const change of changes) {
      if (change.kind !== 'notification' || change.op !== 'put') continue;
      const { read, trial } = change.value;
      if (!read && !trial) this.#deliveries.add(this.#deliver(change.value));
    }
  }

  /** Resolves when none is being delivered. */
  idle(): Promise<void> {
    return this.#deliveries.idle();
  }

  async #deliver(notification: Notification): Promise<void> {
    try {
      await this.notifications.deliver(structuredClone(notification));
    } catch (error) {
      const { id, policyId } = notification;
      this.logger.warn('A notification was not delivered; it is in the inbox.', { id, policyId, error });
    }
  }
}
