/** Closing an engine: it ends within its grace, whatever is queued and whichever port hangs. */
import {
  createEngine,
  MemoryLedger,
  MemoryStore,
  silentLogger,
  type Caller,
  type EngineOptions,
} from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { expect, it } from 'vitest';
import { turn } from './background.js';
import { written } from './policy-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

const forever = new Promise<never>(() => undefined);

/** An engine with a policy whose only block waits for `during`, and what the engine warns of. */
async function world(during: () => Promise<void>, options: EngineOptions = {}) {
  const waits = defineBlock({
    ...{ type: 'waits', title: 'Waits', description: '', kind: 'interface' },
    async receive(ctx) {
      await ctx.notifications.send([owner.did], { title: 'Sent', message: 'Sent.' });
      await during();
    },
  });
  const warnings: unknown[] = [];
  const logger = {
    ...silentLogger,
    warn: (_: string, facts?: { readonly for?: unknown }) => warnings.push(facts?.for),
  };
  const engine = createEngine({ blocks: [waits], logger, limits: { closeMs: 1 }, ...options });
  const { policy } = await engine.importPolicy(owner, { name: 'Waits', config: written('waits', 'waits') });
  await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const send = (): Promise<unknown> => engine.sendToBlock(owner, policy.id, { tag: 'waits' }, {});
  return { engine, send, warnings };
}

it('ends the units that have not started, and waits for the one that has', async () => {
  let free = (): void => undefined;
  const { engine, send, warnings } = await world(() => new Promise((resolve) => (free = resolve)));
  const started = send();
  await turn();
  const queued = Array.from({ length: 100 }, () => send().catch((error: unknown) => error));
  const closed = engine.close();
  for (const outcome of await Promise.all(queued)) expect(outcome).toMatchObject({ code: 'ENGINE_CLOSED' });
  free();
  await started;
  await closed;
  expect(warnings).toContain('units of work that have not started');
});

it.each<[string, EngineOptions]>([
  ['notifications', { notifications: { deliver: () => forever } }],
  ['the ledger', { ledger: Object.assign(new MemoryLedger(), { close: () => forever }) }],
])('does not wait for ever for %s', async (port, options) => {
  const store = new MemoryStore();
  let isClosed = false;
  const close = store.close.bind(store);
  store.close = () => {
    isClosed = true;
    return close();
  };
  const { engine, send, warnings } = await world(() => Promise.resolve(), { ...options, store });
  await send();
  await engine.close();
  expect([isClosed, warnings]).toEqual([true, expect.arrayContaining([port])]);
});
