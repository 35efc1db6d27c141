/** Reads of a block that never answers: they are ended, and hold up nobody. */
import { createEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { SimulatedClock, SimulatedTimers } from '@blockwork/testing';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };

it.each(['readBlock', 'readBlockText'] as const)('%s of a block that never answers is ended', async (read) => {
  let reading = 0;
  const stuck = defineBlock({
    type: 'stuck',
    title: 'Stuck',
    description: '',
    kind: 'interface',
    input: z.string(),
    read(ctx) {
      if (ctx.query['go'] === 'on') return 'went';
      reading += 1;
      return new Promise<never>(() => undefined);
    },
    receive: (_, input) => input,
  });
  const clock = new SimulatedClock();
  const timers = new SimulatedTimers(clock);

  const engine = createEngine({ clock, timers, blocks: [stuck], limits: { readMs: 1000 } });
  onTestFinished(() => engine.close());
  const config = { blockType: 'stuck', tag: 'stuck', permissions: ['ANY_ROLE'] };
  await engine.importPolicy(owner, { id: 'p', name: 'Stuck', config });
  const block = { tag: 'stuck' };
  let ended: unknown = 'nothing yet';
  const refused = engine[read](owner, 'p', block).catch((error: unknown) => (ended = error));
  await expect.poll(() => reading).toBe(1);
  // Nobody else waits for it.
  expect(await engine.readBlock(owner, 'p', block, { go: 'on' })).toBe('went');
  expect(await engine.sendToBlock(owner, 'p', block, 'sent')).toBe('sent');
  timers.advance(1000);
  expect(ended).toBe('nothing yet');
  timers.advance(1);
  await refused;
  expect(ended).toMatchObject({
    code: 'READ_TOO_LONG',
    message: 'Block "stuck" (stuck) of policy "p" gave no answer within 1000 ms, the limit readMs of a read.',
  });
});
