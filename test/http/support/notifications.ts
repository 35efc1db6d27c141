/** Notifications in the inbox of the owner, as policies put them there. */
import type { ChangeSet } from '@blockwork/core/adapter';
import { owner } from './world.js';

export const readId = 'notification-to-be-read';
export const removedId = 'notification-to-be-removed';

const notification = (id: string, createDate: string) => ({
  id,
  did: owner.did,
  policyId: 'some-policy',
  title: `Title of ${id}`,
  message: 'A report waits for you.',
  type: 'INFO' as const,
  opensPolicy: true,
  trial: false,
  read: false,
  createDate,
});

export const notified: ChangeSet = {
  expect: {},
  changes: [notification(readId, '2026-01-01T00:00:00.000Z'), notification(removedId, '2026-01-02T00:00:00.000Z')].map(
    (value) => ({ op: 'put', kind: 'notification', partition: 'instance', value }) as const,
  ),
};
