/** Two auxiliary blocks of the bench: one sends events to the block under test, the other records what it emits. */
import type { Json } from '@blockwork/core';
import type { Block, BlockEvent, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

export interface EmittedEvent {
  readonly output: string;
  readonly data: Json;
  readonly did: string;
}

const order = z.object({ target: z.string(), input: z.string(), data: z.json() });

/** Sends any input event to any block. */
export class EventTrigger implements Block<unknown, z.infer<typeof order>> {
  readonly about = {
    type: 'benchEventTrigger',
    title: 'Event trigger',
    description: 'Sends an event to the block under test.',
    kind: 'interface',
    children: 'none',
  } as const;
  readonly options = z.object({});
  readonly input = order;

  receive(ctx: RunContext, { target, input, data }: z.infer<typeof order>): Promise<void> {
    const block = ctx.policy.blockByTag(target);
    if (block === undefined) return ctx.fail('BLOCK_UNKNOWN', { facts: { block: target } });
    ctx.raise(block, input, data);
    return Promise.resolve();
  }
}

/** Records every event that reaches it, in order. */
export class EventRecorder implements Block {
  readonly about = {
    type: 'benchEventRecorder',
    title: 'Event recorder',
    description: 'Records the events of the block under test.',
    kind: 'server',
    children: 'none',
  } as const;
  readonly options = z.object({});
  readonly on = {
    RunEvent: (_ctx: RunContext, { output, data, user }: BlockEvent): Promise<void> => {
      this.emitted.push({ output, data, did: user.did });
      return Promise.resolve();
    },
  };

  constructor(readonly emitted: EmittedEvent[]) {}
}
