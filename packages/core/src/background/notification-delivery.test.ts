import { INSTANCE } from '../records/kinds.js';
import type { Notification } from '../records/notification.js';
import { expect, it } from 'vitest';
import type { ChangeSet } from '../ports/index.js';
import { NotificationDelivery } from './notification-delivery.js';

const notification = (id: string, more: Partial<Notification> = {}): Notification => ({
  ...{ id, did: 'did:example:alice', policyId: 'p', title: 'Report', message: 'It waits.', type: 'INFO' },
  ...{ opensPolicy: true, trial: false, read: false, createDate: '2026-01-01T00:00:00.000Z' },
  ...more,
});

const put = (...values: Notification[]): ChangeSet => ({
  expect: {},
  changes: values.map((value) => ({ op: 'put', kind: 'notification', partition: INSTANCE, value })),
});

/** Deliveries, and the lines of the log. */
function world(deliver: (notification: Notification) => Promise<void>) {
  const warnings: unknown[] = [];
  const quiet = () => undefined;
  const logger = {
    ...{ debug: quiet, info: quiet, error: quiet },
    warn: (message: string, fields?: object) => void warnings.push([message, fields]),
  };
  return { warnings, delivery: new NotificationDelivery({ deliver }, logger) };
}

it('what is new and unread is delivered, as a copy; trials, what was read and what is deleted are not', async () => {
  const delivered: Notification[] = [];
  const { delivery, warnings } = world(async (notification) => void delivered.push(notification));
  const one = notification('one');
  delivery.committed(put(one, notification('read', { read: true }), notification('trial', { trial: true })));
  delivery.committed({
    expect: {},
    changes: [{ op: 'delete', kind: 'notification', partition: INSTANCE, id: 'gone' }],
  });
  await delivery.idle();
  expect(delivered).toEqual([one]);
  expect(delivered[0]).not.toBe(one);
  expect(warnings).toEqual([]);
});

it('a delivery that fails is logged, and holds up no other', async () => {
  const delivered: string[] = [];
  const error = new Error('the mail server is down');
  const { delivery, warnings } = world(async ({ id }) => {
    if (id === 'one') throw error;
    delivered.push(id);
  });
  delivery.committed(put(notification('one'), notification('two')));
  await delivery.idle();
  expect(delivered).toEqual(['two']);
  expect(warnings).toEqual([
    ['A notification was not delivered; it is in the inbox.', { id: 'one', policyId: 'p', error }],
  ]);
});

it('it is idle only when nothing is being delivered any more', async () => {
  let arrive = (): void => undefined;
  const { delivery } = world(() => new Promise((resolve) => (arrive = resolve)));
  delivery.committed(put(notification('one')));
  let isIdle = false;
  const idle = delivery.idle().then(() => (isIdle = true));
  await Promise.resolve();
  expect(isIdle).toBe(false);
  arrive();
  expect(await idle).toBe(true);
});
