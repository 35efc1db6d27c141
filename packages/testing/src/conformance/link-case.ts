/** A case of the link suite: one guarantee of the port with its check. */
import type { Json, Link, LinkMessage } from '@blockwork/core/adapter';
import { expect, vi } from 'vitest';

export interface LinkCase {
  /** A sentence about the link; also the name to skip it by. */
  readonly promise: string;
  /** `connect` opens another connection to the same link; `topic` returns a unique name. */
  readonly check: (link: Link, tools: LinkCaseTools) => Promise<void>;
}

export interface LinkCaseTools {
  readonly connect: () => Promise<Link>;
  readonly topic: () => string;
  /** Makes the link lose all its messages; skips the case if that is not possible. */
  readonly wipe: () => Promise<void>;
}

export const promise = (sentence: string, check: LinkCase['check']): LinkCase => ({ promise: sentence, check });

export interface Collected {
  readonly messages: LinkMessage[];
  readonly receive: (message: LinkMessage) => Promise<void>;
  /** Distinct bodies in the order of message ids. */
  readonly bodies: () => Json[];
}

/** A receiver that collects messages. */
export function collecting(): Collected {
  const messages: LinkMessage[] = [];
  return {
    messages,
    receive: (message) => {
      messages.push(message);
      return Promise.resolve();
    },
    bodies: () => {
      const byId = new Map(messages.map(({ messageId, body }) => [messageId, body]));
      return [...byId.keys()].sort(byMoment).map((id) => byId.get(id) ?? null);
    },
  };
}

/** Order of ids `<seconds>.<nanoseconds>`, implemented independently of the engine. */
export function byMoment(a: string, b: string): number {
  const [inA, inB] = [a, b].map((id) => BigInt(id.replace('.', '')));
  return (inA ?? 0n) < (inB ?? 0n) ? -1 : (inA ?? 0n) > (inB ?? 0n) ? 1 : 0;
}

const patiently = { timeout: 60_000, interval: 10 };

export const losing: readonly LinkCase[] = [
  promise('says that it is connected, and until when', async (_, { connect }) => {
    const other = await connect();
    expect(other.status()).toEqual({ isConnected: true, setAside: 0, losses: 0 });
    await other.close();
    expect(other.status().isConnected).toBe(false);
  }),
  promise(
    'reports lost messages once per connection, and continues under greater ids',
    async (link, { connect, topic, wipe }) => {
      const [other, name, { messages, receive }, losses] = [await connect(), topic(), collecting(), [] as string[]];
      link.onLoss(() => losses.push('link'));
      other.onLoss(() => losses.push('other'));
      await other.subscribe(name, receive);
      for (let at = 0; at < 3; at += 1) await link.publish(name, at, String(at));
      await vi.waitFor(() => expect(messages).toHaveLength(3), patiently);
      await wipe();
      await vi.waitFor(() => expect([...losses].sort()).toEqual(['link', 'other']), patiently);
      // Idempotency keys are lost as well, so a repeated key sends again.
      await vi.waitFor(() => link.publish(name, 'later', '0'), patiently);
      await vi.waitFor(() => expect(messages.map(({ body }) => body)).toEqual([0, 1, 2, 'later']), patiently);
      const ids = messages.map(({ messageId }) => messageId);
      expect([...ids].sort(byMoment)).toEqual(ids);
      expect([link.status().losses, other.status().losses, losses.length]).toEqual([1, 1, 2]);
    },
  ),
  promise('tells of a loss that a subscription missed, when it resumes', async (link, { connect, topic, wipe }) => {
    const [name, { receive, bodies }, losses] = [topic(), collecting(), [] as string[]];
    const first = await link.publish(name, 1, '1');
    await link.publish(name, 2, '2');
    const isLost = new Promise<void>((resolve) => link.onLoss(() => resolve()));
    await wipe();
    await isLost;
    await vi.waitFor(() => link.publish(name, 3, '3'), patiently);
    const later = await connect();
    later.onLoss((reason) => losses.push(reason));
    await later.subscribe(name, receive, { after: first });
    await vi.waitFor(() => expect(bodies()).toEqual([3]), patiently);
    expect([losses.length, later.status().losses]).toEqual([1, 1]);
  }),
  promise('reports no loss to a listener that was removed', async (link, { topic, wipe }) => {
    const [name, { receive }, losses] = [topic(), collecting(), [] as string[]];
    await link.subscribe(name, receive);
    await link.publish(name, 1, '1');
    const stop = link.onLoss(() => losses.push('stopped'));
    link.onLoss(() => losses.push('listening'));
    stop();
    await wipe();
    await vi.waitFor(() => expect(losses).toEqual(['listening']), patiently);
  }),
];
