import { describe, expect, it } from 'vitest';
import type { LinkMessage, Logger } from '../ports/index.js';
import { MemoryLink } from './memory-link.js';
import { silentLogger } from './silent-logger.js';

const clock = { now: () => 1_700_000_000_123 };

const collecting = () => {
  const received: LinkMessage[] = [];
  return { received, receive: async (message: LinkMessage) => void received.push(message) };
};

describe('MemoryLink', () => {
  it('delivers each message of a topic to its subscribers, in order, with growing ids that follow the clock', async () => {
    const link = new MemoryLink({ clock });
    const { received, receive } = collecting();
    await link.subscribe('0.0.1', receive);
    await link.publish('0.0.1', 1, 'a');
    await link.publish('0.0.2', 2, 'b');
    await link.publish('0.0.1', 3, 'c');
    await link.close();
    expect(received).toEqual([
      { topic: '0.0.1', messageId: '1700000000.123000000', body: 1 },
      { topic: '0.0.1', messageId: '1700000000.123000002', body: 3 },
    ]);
  });

  it('sends once for each idempotency key and answers with the first id', async () => {
    const link = new MemoryLink({ clock });
    const { received, receive } = collecting();
    await link.subscribe('t', receive);
    const ids = await Promise.all([link.publish('t', 1, 'same'), link.publish('t', 1, 'same')]);
    await link.close();
    expect(new Set(ids).size).toBe(1);
    expect(received).toHaveLength(1);
  });

  it('gives each subscriber a body of its own', async () => {
    const link = new MemoryLink();
    const { received, receive } = collecting();
    const spoil = async ({ body }: LinkMessage) => void ((body as { n: number }).n = 2);
    await link.subscribe('t', spoil);
    await link.subscribe('t', receive);
    const sent = { n: 1 };
    const publishing = link.publish('t', sent, 'k');
    sent.n = 3;
    await publishing;
    await link.close();
    expect(received[0]?.body).toEqual({ n: 1 });
  });

  it('tries a failing subscriber again, then logs and goes on with the next message', async () => {
    const warnings: unknown[] = [];
    const logger: Logger = { ...silentLogger, warn: (_, fields) => void warnings.push(fields?.attempt) };
    const link = new MemoryLink({ logger, attempts: 2 });
    const seen: unknown[] = [];
    await link.subscribe('t', async ({ body }) => {
      seen.push(body);
      if (body === 'bad') throw new Error('no');
    });
    await link.publish('t', 'bad', '1');
    await link.publish('t', 'good', '2');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(['bad', 'bad', 'good']);
    expect(warnings).toEqual([1, 2]);
    await link.close();
  });

  it('delivers nothing after a subscriber has stopped, and takes nothing after it was closed', async () => {
    const link = new MemoryLink();
    const { received, receive } = collecting();
    const stop = await link.subscribe('t', receive);
    await stop();
    await link.publish('t', 1, 'k');
    await link.close();
    await link.close();
    expect(received).toEqual([]);
    await expect(link.publish('t', 1, 'l')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  });
});
