/** Notifications in a whole engine: committed with what they are about, delivered after that, and gone with a trial. */
import { createEngine, MemoryStore, type Caller, type EngineOptions, type Notification } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { SimulatedClock } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { written } from './policy-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const ann: Caller = { did: 'did:example:ann', role: 'USER' };
const bob: Caller = { did: 'did:example:bob', role: 'USER' };

/** Tells everybody who is named, and fails where it is told to. */
const tellBlock = defineBlock({
  type: 'tellBlock',
  title: 'Tell',
  description: '',
  kind: 'interface',
  input: z.object({ to: z.array(z.string()), title: z.string(), fail: z.boolean().default(false) }),
  async receive(ctx, { to, title, fail }) {
    await ctx.notifications.send(to, { title, message: `${title}!` });
    if (fail) ctx.fail('INPUT_INVALID', { facts: { reason: 'It was told to fail.' } });
  },
});

interface World {
  readonly delivered: Notification[];
  readonly tell: (title: string, more?: { to?: string[]; fail?: boolean }) => Promise<unknown>;
  readonly titles: (caller: Caller, range?: { offset?: number; limit?: number; unread?: boolean }) => Promise<string[]>;
}

async function world(status: 'draft' | 'published' = 'published', options: EngineOptions = {}) {
  const delivered: Notification[] = [];
  const clock = new SimulatedClock();
  const notifications = {
    deliver: (each: Notification) => {
      delivered.push(each);
      return Promise.resolve();
    },
  };
  const engine = createEngine({ clock, blocks: [tellBlock], notifications, ...options });
  const { policy } = await engine.importPolicy(owner, { name: 'Tells', config: written('tellBlock', 'tell') });
  if (status === 'published') await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const notificationWorld: World = {
    delivered,
    tell: async (title, { to = [ann.did], fail = false } = {}) => {
      clock.advance(1000);
      return engine.sendToBlock(ann, policy.id, { tag: 'tell' }, { title, to, fail });
    },
    titles: async (caller, range) => (await engine.notifications.list(caller, range)).items.map(({ title }) => title),
  };
  return { ...notificationWorld, engine, policyId: policy.id };
}

describe('an inbox', () => {
  it('has the newest first, by the page, for its owner alone', async () => {
    const { tell, titles, engine } = await world();
    for (const title of ['one', 'two', 'three']) await tell(title);
    expect(await titles(ann)).toEqual(['three', 'two', 'one']);
    expect(await titles(ann, { offset: 1, limit: 1 })).toEqual(['two']);
    expect(await engine.notifications.list(bob)).toEqual({ items: [], total: 0, unread: 0 });
  });

  it('knows what was read', async () => {
    const { tell, titles, engine } = await world();
    await tell('one');
    await tell('two');
    const { items } = await engine.notifications.list(ann);
    expect(await engine.notifications.markRead(ann, items[0]?.id ?? '')).toMatchObject({ title: 'two', read: true });
    expect(await titles(ann, { unread: true })).toEqual(['one']);
    expect(await engine.notifications.list(ann)).toMatchObject({ total: 2, unread: 1 });
    await engine.notifications.markAllRead(ann);
    expect(await engine.notifications.list(ann)).toMatchObject({ total: 2, unread: 0 });
  });

  it('keeps what is in it from others', async () => {
    const { tell, engine } = await world();
    await tell('one');
    const id = (await engine.notifications.list(ann)).items[0]?.id ?? '';
    for (const attempt of [engine.notifications.markRead(bob, id), engine.notifications.remove(bob, id)]) {
      await expect(attempt).rejects.toMatchObject({ code: 'NOTIFICATION_UNKNOWN' });
    }
    await engine.notifications.remove(ann, id);
    expect((await engine.notifications.list(ann)).total).toBe(0);
    const stranger: Caller = { did: 'did:example:ann', permissions: [] };
    await expect(engine.notifications.list(stranger)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('holds so many, the newest', async () => {
    const { tell, titles } = await world('published', { limits: { notifications: 2 } });
    for (const title of ['one', 'two', 'three', 'four']) await tell(title, { to: [ann.did, bob.did] });
    expect(await titles(ann)).toEqual(['four', 'three']);
    expect(await titles(bob)).toEqual(['four', 'three']);
  });

  it('cuts off what is too long', async () => {
    const { tell, engine } = await world();
    await tell('x'.repeat(20_000));
    const [notification] = (await engine.notifications.list(ann)).items;
    expect([notification?.title.length, notification?.message.length]).toEqual([200, 10_000]);
  });
});

describe('a notification', () => {
  it('is committed with the unit that sends it, or not at all, and delivered once after that', async () => {
    const { tell, titles, delivered } = await world();
    await expect(tell('failed', { fail: true })).rejects.toThrow('told to fail');
    expect([await titles(ann), delivered]).toEqual([[], []]);
    await tell('fine', { to: [ann.did, ann.did, bob.did] });
    expect(delivered.map(({ did, title }) => [did, title])).toEqual([
      [ann.did, 'fine'],
      [bob.did, 'fine'],
    ]);
  });

  it('is not delivered again when it is read', async () => {
    const { tell, engine, delivered } = await world();
    await tell('one');
    await engine.notifications.markAllRead(ann);
    expect(delivered).toHaveLength(1);
  });

  it('of a trial stays in the inbox, and goes with the trial', async () => {
    const { tell, titles, delivered, engine, policyId } = await world('draft');
    await engine.lifecycle.dryRun(owner, policyId);
    await tell('on trial');
    expect([await titles(ann), delivered]).toEqual([['on trial'], []]);
    await engine.lifecycle.draft(owner, policyId);
    expect(await titles(ann)).toEqual([]);
  });

  it('that cannot be delivered is in the inbox all the same', async () => {
    const store = new MemoryStore();
    const notifications = { deliver: () => Promise.reject(new Error('no mail today')) };
    const { tell, titles, engine } = await world('published', { store, notifications });
    await tell('one');
    expect(await titles(ann)).toEqual(['one']);
    await engine.close();
  });
});
