/** Two auxiliary blocks of the bench: one sends events to the block under test, the other records what it emits. */
import type { Json } from '@blockwork/core';
import { defineBlock, type BlockType } from '@blockwork/core/block';
import { z } from 'zod';

export interface EmittedEvent {
  readonly output: string;
  readonly data: Json;
  readonly did: string;
}

/** Sends any input event to any block. */
export const eventTrigger = defineBlock({
  type: 'benchEventTrigger',
  title: 'Event trigger',
  description: 'Sends an event to the block under test.',
  kind: 'interface',
  input: z.object({ target: z.string(), input: z.string(), data: z.json() }),
  receive(ctx, { target, input, data }) {
    const block = ctx.policy.blockByTag(target) ?? ctx.fail('BLOCK_UNKNOWN', { facts: { block: target } });
    ctx.raise(block, input, data);
  },
});

/** Records every event that reaches it in `emitted`, in order. */
export const eventRecorder = (emitted: EmittedEvent[]): BlockType =>
  defineBlock({
    type: 'benchEventRecorder',
    title: 'Event recorder',
    description: 'Records the events of the block under test.',
    kind: 'server',
    on: {
      RunEvent(_ctx, { output, data, user }) {
        emitted.push({ output, data, did: user.did });
      },
    },
  });
