/** What operators are told of an instance, and nobody else. */
import { BlockworkError, createEngine, MemoryStore, recentLog } from '@blockwork/core';
import type { Caller, InstanceOperation, PolicyEngine } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { ana, openWorld, policy, soon, voteFor } from './conversation-fixtures.js';
import { eventWorld } from './event-fixtures.js';

const operator: Caller = { did: 'did:example:operator', role: 'OPERATOR' };
const registry: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

it('operators see what waits, what the store can do, and every limit as JSON has it', async () => {
  const engine = createEngine({ store: new MemoryStore(), limits: { hops: 77 } });
  const summary = await engine.operation.get(operator);
  expect(summary).toMatchObject({
    store: { durable: false, shared: false },
    limits: { hops: 77, policyDocuments: null },
  });
  expect(summary.backlog).toEqual(await engine.program.getBacklog());
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
  await expect(engine.operation.get(user)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await engine.close();
});

const refusesOthers = async (engine: PolicyEngine, name: keyof InstanceOperation): Promise<void> => {
  for (const other of [user, registry, { did: 'did:example:auditor', role: 'AUDITOR' }]) {
    await expect(engine.operation[name](other)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(engine.nodes.list(other)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  }
};

describe('Operators, and nobody else, see', () => {
  it('the slowest units of work, those that failed among them', async () => {
    const { engine, send, policyId } = await eventWorld();
    await send('for_a');
    await expect(engine.sendToBlock(registry, policyId, { tag: 'no_such' }, {})).rejects.toThrow(BlockworkError);
    const units = await engine.operation.slowUnits(operator);
    expect(units).toContainEqual({
      ...{ at: expect.any(String) as string, ms: expect.any(Number) as number },
      ...{ policyId, block: 'for_a', cause: 'send', attempts: 1, code: null },
    });
    expect(units).toContainEqual(expect.objectContaining({ block: 'no_such', attempts: null, code: 'BLOCK_UNKNOWN' }));
    await refusesOthers(engine, 'slowUnits');
    await engine.close();
  });

  it('the lines of the log about a request, where they are kept', async () => {
    const log = recentLog();
    const engine = createEngine({ logger: log, recentLog: log });
    for (const requestId of ['r1', 'r2', 'r1']) log.warn('It could not be served.', { requestId, status: 503 });
    const { items, total } = await engine.operation.log(operator, { requestId: 'r1', limit: 1 });
    expect(total).toBe(2);
    expect(items).toMatchObject([{ level: 'warn', requestId: 'r1', fields: { status: 503 } }]);
    expect((await engine.operation.get(operator)).isLogKept).toBe(true);
    await refusesOthers(engine, 'log');
    await engine.close();
    const without = createEngine();
    expect(await without.operation.log(operator)).toEqual({ items: [], total: 0 });
    expect((await without.operation.get(operator)).isLogKept).toBe(false);
    await without.close();
  });

  it('which messages were not sent, to whom they go, why not and when again, but not what they say', async () => {
    const away = new BlockworkError('LINK_UNAVAILABLE', { facts: { reason: 'the broker is away' } });
    const link = {
      publish: () => Promise.reject(away),
      subscribe: () => Promise.resolve({ settled: null, stop: () => Promise.resolve() }),
      onLoss: () => () => undefined,
      status: () => ({ isConnected: false, reason: 'away', setAside: 0, losses: 0 }),
      close: () => Promise.resolve(),
    };
    const world = await openWorld({ north: { link } });
    const { engine } = world.north;
    const { messageId } = await engine.requests.ask(ana, voteFor('swordfish'));
    const failed = await soon(async () => {
      const page = await engine.operation.outbox(operator);
      expect(page.items[0]?.failures).toBeGreaterThan(0);
      return page;
    });
    expect(failed).toMatchObject({
      items: [
        {
          ...{ type: 'request', to: 'south', policyId: policy.id, startMessageId: messageId },
          ...{ retryAt: expect.any(String) as string, reason: away.message },
        },
      ],
      total: 1,
    });
    expect(JSON.stringify(failed)).not.toContain('swordfish');
    const [{ id } = { id: '' }] = failed.items;
    const stuck = await engine.operation.stuck(operator);
    expect(stuck).toMatchObject([{ work: 'outbox', id, reason: away.message }]);
    await refusesOthers(engine, 'outbox');
    await refusesOthers(engine, 'stuck');
    await world.close();
  });

  it('a message that waits for its first attempt, or lacks what messages say, as it is', async () => {
    const store = new MemoryStore();
    const message = { id: 'm', topic: 't', message: {}, createdAt: '2026-01-01T00:00:00.000Z' };
    const engine = createEngine({ store });
    store.find = () => Promise.resolve([message] as never);
    store.count = () => Promise.resolve(1);
    expect((await engine.operation.outbox(operator)).items).toEqual([
      {
        ...{ id: 'm', type: '', to: '', policyId: '', startMessageId: '', since: message.createdAt },
        ...{ failures: 0, retryAt: null, reason: null },
      },
    ]);
    await engine.close();
  });
});
