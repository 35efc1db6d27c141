import { expect, it, vi } from 'vitest';
import { defineBlock } from '../../block.js';
import { createEngine } from '../create-engine.js';
import { MemoryLedger } from '../../memory/memory-ledger.js';
import { z } from 'zod';

const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

const noteBlock = defineBlock({
  type: 'noteBlock',
  title: 'Note',
  description: '',
  kind: 'interface',
  input: z.object({}),
  async receive(ctx) {
    await ctx.ledger.publish({ topic: 'root', type: 'note', owner: registry.did });
  },
});

/** An engine with a published policy, and a ledger that takes as long to settle as a test wants. */
async function world(ledger?: MemoryLedger) {
  const engine = createEngine({ blocks: [noteBlock], ...(ledger !== undefined && { ledger }) });
  const config = { blockType: 'noteBlock', tag: 'note', permissions: ['ANY_ROLE'] };
  const { policy } = await engine.importPolicy(registry, { name: 'Notes', config });
  await engine.lifecycle.publish(registry, policy.id, '1.0.0');
  await engine.program.ledger.idle();
  return { engine, send: () => engine.sendToBlock(registry, policy.id, { tag: 'note' }, {}) };
}

it('what was committed is on the ledger outside once the ledger of the program is idle', async () => {
  const ledger = new MemoryLedger();
  const { engine, send } = await world(ledger);
  const before = ledger.settled.length;
  await send();
  await engine.program.ledger.idle();
  expect(ledger.settled.length).toBe(before + 1);
  await engine.close();
});

it('an effect that waits for its next attempt is not waited for, and is counted in the backlog', async () => {
  const ledger = new MemoryLedger();
  const { engine, send } = await world(ledger);
  const settle = vi.spyOn(ledger, 'settle');
  ledger.failNext();
  await send();
  await engine.program.ledger.idle();
  expect(settle).toHaveBeenCalledTimes(1);
  expect(await engine.program.getBacklog()).toMatchObject({ settlements: 1 });
  await engine.close();
});

it('without a ledger outside there is nothing to wait for, and after the end nothing to ask', async () => {
  const { engine, send } = await world();
  await send();
  await engine.program.ledger.idle();
  await engine.close();
  await expect(engine.program.ledger.idle()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});
