/** Promises about stopping and closing. */
import { expect, vi } from 'vitest';
import { collecting, promise, type LinkCase } from './link-case.js';

const patiently = { timeout: 60_000, interval: 5 };

export const closing: readonly LinkCase[] = [
  promise(
    'delivers nothing after a subscription was stopped, and continues with the others',
    async (link, { topic }) => {
      const [name, stopped, other] = [topic(), collecting(), collecting()];
      const subscription = await link.subscribe(name, stopped.receive);
      await link.subscribe(name, other.receive);
      await link.publish(name, 1, '1');
      await vi.waitFor(() => expect([stopped.bodies(), other.bodies()]).toEqual([[1], [1]]), patiently);
      await subscription.stop();
      await subscription.stop();
      await link.publish(name, 2, '2');
      await vi.waitFor(() => expect(other.bodies()).toEqual([1, 2]), patiently);
      expect(stopped.bodies()).toEqual([1]);
    },
  ),
  promise('waits, when it stops, for what is being received', async (link, { topic }) => {
    const name = topic();
    let [isReceiving, isDone] = [false, false];
    let finish = (): void => undefined;
    const subscription = await link.subscribe(name, async () => {
      isReceiving = true;
      await new Promise<void>((resolve) => (finish = resolve));
      isDone = true;
    });
    await link.publish(name, 1, '1');
    await vi.waitFor(() => expect(isReceiving).toBe(true), patiently);
    const stopping = subscription.stop().then(() => isDone);
    finish();
    expect(await stopping).toBe(true);
  }),
  promise('ends one connection only, and keeps what it had taken over', async (link, { connect, topic }) => {
    const [other, name, { receive, bodies }] = [await connect(), topic(), collecting()];
    await other.publish(name, 1, '1');
    await other.close();
    await link.publish(name, 2, '2');
    await link.subscribe(name, receive, 'start');
    await vi.waitFor(() => expect(bodies()).toEqual([1, 2]), patiently);
  }),
  promise('rejects with LINK_CLOSED once it is closed, and can be closed again', async (_, { connect, topic }) => {
    const [other, name, { receive, messages }] = [await connect(), topic(), collecting()];
    await other.subscribe(name, receive);
    await Promise.all([other.close(), other.close()]);
    await other.close();
    await expect(other.publish(name, 1, 'k')).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    await expect(other.subscribe(name, receive)).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    expect(messages).toEqual([]);
  }),
];
