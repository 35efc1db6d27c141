/** The notification inbox of a caller. */
import type { Caller } from '../../access/index.js';
import { BlockworkError } from '../../errors.js';
import { demandOptions } from '../../options/index.js';
import { allOf, INSTANCE } from '../../records/index.js';
import type { Condition, Notification } from '../../records/index.js';
import { lanes, revisionKeys, type Executor, type RecordReader, type UnitOfWork } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { ListPage, Range } from '../page.js';

export interface InboxDeps {
  readonly store: RecordReader;
  readonly executor: Executor;
}

/**
 * One inbox per caller, for all policies. Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`),
 * `ENGINE_CLOSED`.
 */
export class NotificationInbox {
  constructor(
    private readonly gate: Gate,
    private readonly deps: InboxDeps,
  ) {}

  /**
   * Newest first; `total` counts all that match, `unread` those not read yet.
   *
   * @example const { items, unread } = await engine.notifications.list(alice);
   */
  async list(
    caller: Caller,
    query: Range & { readonly unread?: boolean } = {},
  ): Promise<ListPage<Notification> & { readonly unread: number }> {
    this.gate.admit(caller, 'POLICIES_POLICY_READ');
    demandOptions(query, 'notifications.list', 'query');
    const { unread, ...range } = query;
    const { store } = this.deps;
    const isNew = allOf(ownedBy(caller), { path: 'read', op: 'eq', value: false });
    const where = unread ? isNew : ownedBy(caller);
    const order = { path: 'createDate', direction: 'desc' } as const;
    const [items, total, fresh] = await Promise.all([
      store.find('notification', INSTANCE, { ...range, where, order }),
      store.count('notification', INSTANCE, where),
      store.count('notification', INSTANCE, isNew),
    ]);
    return { items, total, unread: fresh };
  }

  /**
   * Marks one as read. Throws `NOTIFICATION_UNKNOWN`, and the errors common to all methods.
   *
   * @example const { read } = await engine.notifications.markRead(alice, notificationId); // true
   */
  async markRead(caller: Caller, id: string): Promise<Notification> {
    return this.#change(caller, async (unit) => {
      const notification = { ...existing(caller, id, await unit.get('notification', INSTANCE, id)), read: true };
      unit.put('notification', INSTANCE, notification);
      return notification;
    });
  }

  /**
   * Marks all as read.
   *
   * @example await engine.notifications.markAllRead(alice);
   */
  async markAllRead(caller: Caller): Promise<void> {
    await this.#change(caller, async (unit) => {
      const where = allOf(ownedBy(caller), { path: 'read', op: 'eq', value: false });
      for (const notification of await unit.find('notification', INSTANCE, { where })) {
        unit.put('notification', INSTANCE, { ...notification, read: true });
      }
    });
  }

  /**
   * Deletes one. Throws `NOTIFICATION_UNKNOWN`, and the errors common to all methods.
   *
   * @example await engine.notifications.remove(alice, notificationId);
   */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.#change(caller, async (unit) => {
      existing(caller, id, await unit.get('notification', INSTANCE, id));
      unit.delete('notification', INSTANCE, id);
    });
  }

  async #change<T>(caller: Caller, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    this.gate.admit(caller, 'POLICIES_POLICY_READ');
    const [lane, key] = [lanes.notifications.of(caller.did), revisionKeys.notifications.of(caller.did)];
    return (await this.deps.executor.run(lane, [key], work)).result;
  }
}

const ownedBy = ({ did }: Caller): Condition => ({ path: 'did', op: 'eq', value: did });

/** Does not disclose whether a notification of another caller exists. */
function existing({ did }: Caller, id: string, notification: Notification | undefined): Notification {
  if (notification?.did === did) return notification;
  throw new BlockworkError('NOTIFICATION_UNKNOWN', { facts: { id } });
}
