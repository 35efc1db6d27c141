/** Promises about publishing. */
import type { Json } from '@blockwork/core/adapter';
import { expect, vi } from 'vitest';
import { byMoment, collecting, promise, type LinkCase } from './link-case.js';

const patiently = { timeout: 60_000, interval: 5 };
const odd = ['a.b', 'a*b', 'a>b', 'with space', 'Übersicht/数', '%2F', 'x'.repeat(150)];

export const publishing: readonly LinkCase[] = [
  promise(
    'gives ids of seconds and nine digits that grow strictly across publishers',
    async (link, { connect, topic }) => {
      const [other, name] = [await connect(), topic()];
      const ids = new Set<string>();
      for (let at = 0; at < 20; at += 1) {
        const pair = [link, other].map((each, of) => each.publish(name, at, `${String(at)}/${String(of)}`));
        const messageIds = (await Promise.all(pair)).sort(byMoment);
        for (const id of messageIds) {
          expect(id).toMatch(/^\d+\.\d{9}$/);
          for (const before of ids) expect(byMoment(before, id)).toBeLessThan(0);
        }
        for (const id of messageIds) ids.add(id);
      }
      expect(ids.size).toBe(40);
    },
  ),
  promise('resolves with the id under which the message is delivered', async (link, { topic }) => {
    const [name, { messages, receive }] = [topic(), collecting()];
    await link.subscribe(name, receive);
    const messageId = await link.publish(name, { said: 'hello' }, 'k');
    await vi.waitFor(() => expect(messages).toEqual([{ messageId, topic: name, body: { said: 'hello' } }]), patiently);
  }),
  promise(
    'takes a message once for each key, and answers a repetition with the first id',
    async (link, { connect, topic }) => {
      const [other, name, { receive, bodies }] = [await connect(), topic(), collecting()];
      await link.subscribe(name, receive);
      const together = await Promise.all([link.publish(name, 1, 'same'), other.publish(name, 1, 'same')]);
      const later = await other.publish(name, 1, 'same');
      expect(new Set([...together, later]).size).toBe(1);
      await link.publish(name, 2, 'end');
      await vi.waitFor(() => expect(bodies()).toEqual([1, 2]), patiently);
    },
  ),
  promise('keeps the keys of one topic apart from those of another', async (link, { topic }) => {
    const [one, two, inOne, inTwo] = [topic(), topic(), collecting(), collecting()];
    await link.subscribe(one, inOne.receive);
    await link.subscribe(two, inTwo.receive);
    await link.publish(one, 1, 'k');
    await link.publish(two, 2, 'k');
    await vi.waitFor(() => expect([inOne.bodies(), inTwo.bodies()]).toEqual([[1], [2]]), patiently);
  }),
  promise('keeps topics apart, whatever characters their names are made of', async (link, { topic }) => {
    const prefix = topic();
    const all = await Promise.all(
      odd.map(async (name) => {
        const collected = collecting();
        await link.subscribe(`${prefix}/${name}`, collected.receive);
        return { name, collected };
      }),
    );
    for (const name of odd) await link.publish(`${prefix}/${name}`, name, name);
    await vi.waitFor(() => {
      for (const { name, collected } of all) expect(collected.bodies()).toEqual([name]);
    }, patiently);
  }),
  promise(
    'refuses what is too large or nests too deep with MESSAGE_TOO_LARGE, and continues',
    async (link, { topic }) => {
      const [name, { receive, bodies }] = [topic(), collecting()];
      await link.subscribe(name, receive);
      let deep: Json = [];
      for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
      const tooLarge = { code: 'MESSAGE_TOO_LARGE', retryable: false };
      await expect(link.publish(name, deep, 'deep')).rejects.toMatchObject(tooLarge);
      await expect(link.publish(name, 'x'.repeat(3_000_000), 'large')).rejects.toMatchObject(tooLarge);
      await link.publish(name, 'next', 'next');
      await vi.waitFor(() => expect(bodies()).toEqual(['next']), patiently);
    },
  ),
  promise('carries every JSON value, and one of half a megabyte', async (link, { topic }) => {
    const [name, { receive, bodies }] = [topic(), collecting()];
    const values: Json[] = [
      null,
      0,
      -1.5,
      '',
      'Ünï "quoted" \u0000',
      [],
      {},
      { a: [{ b: null }] },
      'x'.repeat(524_288),
    ];
    await link.subscribe(name, receive);
    for (const [at, value] of values.entries()) await link.publish(name, value, String(at));
    await vi.waitFor(() => expect(bodies()).toEqual(values), patiently);
  }),
];
