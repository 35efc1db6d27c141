/** The inbox of a caller over HTTP. */
import { createClient, type Client } from '@blockwork/client';
import type { Caller } from '@blockwork/core';
import { expect, it } from 'vitest';
import { notified, readId, removedId } from './support/notifications.js';
import { bearer, openFetchWorld, owner, stranger } from './support/world.js';

async function inbox(): Promise<{ readonly as: (caller: Caller) => Client }> {
  const world = await openFetchWorld();
  await world.store.commit(notified);
  const tokenOf = (caller: Caller): string => bearer(caller).slice('Bearer '.length);
  return { as: (caller) => createClient({ url: world.url, fetch: world.fetch, token: () => tokenOf(caller) }) };
}

async function idsOf(client: Client, filter: { unread?: 'true' } = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.notifications(filter)) ids.push(id);
  return ids;
}

it('lists the newest first, in pages that say how many there are', async () => {
  const client = (await inbox()).as(owner);
  expect(await idsOf(client)).toEqual([removedId, readId]);
  const page = await client.routes.listNotifications({ query: { pageIndex: 1, pageSize: 1 } });
  expect(page.data).toMatchObject([{ id: readId, type: 'INFO', opensPolicy: true, read: false }]);
  expect(page.headers.get('x-total-count')).toBe('2');
});

it('marks one or all as read, and lists what is not', async () => {
  const client = (await inbox()).as(owner);
  const { data } = await client.routes.readNotification({ notificationId: readId });
  expect(data).toMatchObject({ id: readId, read: true });
  expect(await idsOf(client, { unread: 'true' })).toEqual([removedId]);
  await client.routes.readAllNotifications({});
  expect(await idsOf(client, { unread: 'true' })).toEqual([]);
  expect(await idsOf(client)).toHaveLength(2);
});

it('deletes one, once', async () => {
  const client = (await inbox()).as(owner);
  await client.routes.removeNotification({ notificationId: removedId });
  expect(await idsOf(client)).toEqual([readId]);
  await expect(client.routes.removeNotification({ notificationId: removedId })).rejects.toMatchObject({ status: 404 });
});

it('shows nobody the notifications of another', async () => {
  const others = (await inbox()).as(stranger);
  expect(await idsOf(others)).toEqual([]);
  for (const change of ['readNotification', 'removeNotification'] as const) {
    await expect(others.routes[change]({ notificationId: readId })).rejects.toMatchObject({ status: 404 });
  }
});
