import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../../../test/support/nats-server.js';
import { openNatsLink } from '../src/index.js';

const server = await startServer();
const patiently = { timeout: 60_000, interval: 20 };

describe.skipIf(server === null)(
  `NatsLink across a restart of its server${server === null ? ' (skipped: nats-server is not installed)' : ''}`,
  () => {
    it('keeps its ids, idempotency keys and subscriptions', async () => {
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
    });
  },
);
