/** A policy's notifications, sent by blocks: each is a row in a user's inbox, committed with the unit of work. */
import { isoNow, type Clock, type Ids } from '../ports/index.js';
import { INSTANCE, statusIs } from '../records/index.js';
import type { Notification, PolicyStatus } from '../records/index.js';
import type { NotificationInput, NotificationSender } from '../block-api/index.js';
import type { UnitOfWork } from '../transactions/index.js';

export interface NotificationDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: { readonly notifications: number };
}

const LONGEST_TITLE = 200;
const LONGEST_MESSAGE = 10_000;

export class PolicyNotifications implements NotificationSender {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly policy: { readonly id: string; readonly status: PolicyStatus },
    private readonly deps: NotificationDeps,
  ) {}

  async send(recipients: Iterable<string>, { title, message, type, opensPolicy }: NotificationInput): Promise<void> {
    const { clock, ids } = this.deps;
    for (const did of new Set(recipients)) {
      await this.#makeRoom(did);
      const notification: Notification = {
        id: ids.uuid(),
        did,
        policyId: this.policy.id,
        title: title.slice(0, LONGEST_TITLE),
        message: message.slice(0, LONGEST_MESSAGE),
        type: type ?? 'INFO',
        opensPolicy: opensPolicy ?? false,
        trial: statusIs(this.policy.status, 'trial'),
        read: false,
        createDate: isoNow(clock),
      };
      this.unit.put('notification', INSTANCE, notification);
    }
  }

  /** Evicts the oldest entries of a full inbox. */
  async #makeRoom(did: string): Promise<void> {
    const where = { path: 'did', op: 'eq', value: did } as const;
    const surplus = (await this.unit.count('notification', INSTANCE, where)) - this.deps.limits.notifications + 1;
    if (surplus <= 0) return;
    const order = { path: 'createDate', direction: 'asc' } as const;
    const oldest = await this.unit.find('notification', INSTANCE, { where, order, limit: surplus });
    for (const { id } of oldest) this.unit.delete('notification', INSTANCE, id);
  }
}
