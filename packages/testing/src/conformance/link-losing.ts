/** Promises about lost messages, and about the state that a link reports. */
import { expect, vi } from 'vitest';
import { byMoment, collecting, promise, type LinkCase } from './link-case.js';

const patiently = { timeout: 30_000, interval: 10 };

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
    const [name, { receive, bodies }, told] = [topic(), collecting(), [] as string[]];
    const first = await link.publish(name, 1, '1');
    await link.publish(name, 2, '2');
    const isLost = new Promise<void>((resolve) => link.onLoss(() => resolve()));
    await wipe();
    await isLost;
    await vi.waitFor(() => link.publish(name, 3, '3'), patiently);
    const later = await connect();
    later.onLoss((reason) => told.push(reason));
    await later.subscribe(name, receive, { after: first });
    await vi.waitFor(() => expect(bodies()).toEqual([3]), patiently);
    expect([told.length, later.status().losses]).toEqual([1, 1]);
  }),
  promise('reports no loss to a listener that was removed', async (link, { topic, wipe }) => {
    const [name, { receive }, told] = [topic(), collecting(), [] as string[]];
    await link.subscribe(name, receive);
    await link.publish(name, 1, '1');
    const stop = link.onLoss(() => told.push('stopped'));
    link.onLoss(() => told.push('listening'));
    stop();
    await wipe();
    await vi.waitFor(() => expect(told).toEqual(['listening']), patiently);
  }),
];
