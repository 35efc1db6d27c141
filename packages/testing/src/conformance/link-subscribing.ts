/** Promises about subscribing. */
import type { LinkMessage } from '@blockwork/core/adapter';
import { expect, vi } from 'vitest';
import { byMoment, collecting, promise, type LinkCase } from './link-case.js';

const patiently = { timeout: 60_000, interval: 5 };

export const subscribing: readonly LinkCase[] = [
  promise('delivers every message to every subscription, on every connection', async (link, { connect, topic }) => {
    const [other, name, all] = [await connect(), topic(), [collecting(), collecting(), collecting()]];
    const [first, second, third] = all;
    await link.subscribe(name, first?.receive ?? never);
    await link.subscribe(name, second?.receive ?? never);
    await other.subscribe(name, third?.receive ?? never);
    for (let at = 0; at < 200; at += 1) await link.publish(name, at, String(at));
    const expected = Array.from({ length: 200 }, (_, at) => at);
    await vi.waitFor(() => all.forEach(({ bodies }) => expect(bodies()).toEqual(expected)), patiently);
  }),
  promise('begins where asked: at the start, after a message, or now', async (link, { topic }) => {
    const [name, start, after, now] = [topic(), collecting(), collecting(), collecting()];
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.push(await link.publish(name, at, String(at)));
    await link.subscribe(name, start.receive, 'start');
    await link.subscribe(name, after.receive, { after: ids[2] ?? '' });
    await link.subscribe(name, now.receive);
    await link.publish(name, 5, 'last');
    await vi.waitFor(() => {
      expect(start.bodies()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(after.bodies()).toEqual([3, 4, 5]);
      expect(now.bodies()).toEqual([5]);
    }, patiently);
  }),
  promise('delivers a message again until it is received, and the others meanwhile', async (link, { topic }) => {
    const [name, tries, received] = [topic(), [] as LinkMessage[], [] as unknown[]];
    const receive = (message: LinkMessage): Promise<void> => {
      if (message.body === 'stubborn') tries.push(message);
      if (message.body === 'stubborn' && tries.length < 3) return Promise.reject(new Error('not yet'));
      received.push(message.body);
      return Promise.resolve();
    };
    await link.subscribe(name, receive);
    await link.publish(name, 'stubborn', '1');
    await link.publish(name, 'easy', '2');
    await vi.waitFor(() => expect(received).toEqual(['easy', 'stubborn']), patiently);
    expect(new Set(tries.map(({ messageId }) => messageId)).size).toBe(1);
  }),
  promise('says how far everything is received, and not a message further', async (link, { topic }) => {
    const name = topic();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const seen: unknown[] = [];
    const subscription = await link.subscribe(
      name,
      async ({ body }) => {
        seen.push(body);
        if (body === 1) await gate;
      },
      'start',
    );
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) ids.push(await link.publish(name, at, String(at)));
    await vi.waitFor(() => expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3])), patiently);
    expect(byMoment(subscription.settled ?? '0.0', ids[0] ?? '')).toBeLessThanOrEqual(0);
    open();
    await vi.waitFor(() => expect(subscription.settled).toBe(ids[3]), patiently);
  }),
  promise(
    'misses nothing when a later subscription begins where an earlier one had settled',
    async (link, { connect, topic }) => {
      const [name, seen] = [topic(), new Set<unknown>()];
      const count = 300;
      const publishing = (async () => {
        for (let at = 0; at < count; at += 1) await link.publish(name, at, String(at));
      })();
      let settled: string | null = null;
      let handed = 0;
      for (let round = 0; seen.size < count && round < 1000; round += 1) {
        const before = seen.size;
        const reader = await connect();
        const receive = ({ body }: LinkMessage): Promise<void> => {
          // Every seventh delivery fails, so that deliveries and retries are pending at the stop.
          if ((handed += 1) % 7 === 0) return Promise.reject(new Error('not yet'));
          seen.add(body);
          return Promise.resolve();
        };
        const subscription = await reader.subscribe(name, receive, settled === null ? 'start' : { after: settled });
        await vi.waitFor(() => expect(seen.size).toBeGreaterThan(before), patiently);
        await subscription.stop();
        settled = subscription.settled ?? settled;
        await reader.close();
      }
      await publishing;
      expect(seen.size).toBe(count);
    },
  ),
  promise('gives each subscription a separate copy of the body', async (link, { topic }) => {
    const [name, { receive, bodies }] = [topic(), collecting()];
    await link.subscribe(name, ({ body }) => {
      (body as { n: number }).n = 2;
      return Promise.resolve();
    });
    await link.subscribe(name, receive);
    const sent = { n: 1 };
    const publishing = link.publish(name, sent, 'k');
    sent.n = 3;
    await publishing;
    await vi.waitFor(() => expect(bodies()).toEqual([{ n: 1 }]), patiently);
  }),
];

const never = (): Promise<void> => Promise.reject(new Error('There is no such receiver.'));
