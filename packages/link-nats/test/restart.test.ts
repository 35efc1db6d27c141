import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../../../test/support/nats-server.js';
import { openNatsLink } from '../src/index.js';
import { MessageNumbers } from '../src/message-numbers.js';

const server = await startServer();
const patiently = { timeout: 60_000, interval: 20 };

describe.skipIf(server === null)(
  `NatsLink while its server is started again${server === null ? ' (skipped: nats-server is not installed)' : ''}`,
  () => {
    it('goes on with the same ids, the same keys and the same subscriptions', { timeout: 180_000 }, async () => {
      if (server === null) return;
      const link = await openNatsLink({ servers: server.address, publishMs: 5000 });
      const bodies: unknown[] = [];
      await link.subscribe('t', ({ body }) => Promise.resolve(void bodies.push(body)), 'start');
      const first = await link.publish('t', 1, 'one');
      await server.restart();
      await vi.waitFor(async () => expect(await link.publish('t', 1, 'one')).toBe(first), patiently);
      await link.publish('t', 2, 'two');
      await vi.waitFor(() => expect(bodies).toEqual([1, 2]), patiently);
      await link.close();
      await server.end();
      await expect(openNatsLink({ servers: server.address })).rejects.toMatchObject({ code: 'LINK_UNAVAILABLE' });
    });
  },
);

describe('ids of messages', () => {
  it('count nanoseconds from the moment at which the stream was made', () => {
    const numbers = new MessageNumbers('2026-03-14T09:26:53.589793238Z');
    expect(numbers.idOf(1)).toBe('1773480413.589793239');
    expect(numbers.idOf(3_000_000_000)).toBe('1773480416.589793238');
    expect(new MessageNumbers('2026-03-14T09:26:53Z').idOf(7)).toBe('1773480413.000000007');
  });

  it('say where to go on reading; one from before the stream, at its start', () => {
    const numbers = new MessageNumbers('2026-03-14T09:26:53.5Z');
    expect(numbers.after(numbers.idOf(41))).toBe(42);
    expect(numbers.after('1773480413.499999999')).toBe(1);
    expect(numbers.after('1773480413.5')).toBe(1);
  });
});
