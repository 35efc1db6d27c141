/** A block that the clock runs every hour, and a policy of it: it counts how often it was run, by its timer or by a send. */
import { defineBlock, TICK, type ReadContext, type RunContext } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { z } from 'zod';

export const HOUR = 3_600_000;

const count = z.object({ count: z.number() });
const counted = async (ctx: ReadContext): Promise<number> => (await ctx.state.get(count))?.count ?? 0;
const countOn = async (ctx: RunContext): Promise<void> => ctx.state.set({ count: (await counted(ctx)) + 1 });

export const hourlyBlock = defineBlock({
  type: 'hourly',
  title: 'Hourly',
  description: 'Counts the hours, and what is sent.',
  kind: 'interface',
  timetable: () => ({ next: (after) => (Math.floor(after / HOUR) + 1) * HOUR }),
  read: (ctx) => counted(ctx),
  receive: (ctx) => countOn(ctx),
  on: { [TICK]: (ctx) => countOn(ctx) },
});

/** Everybody may read and run its block "clock". */
export const hourlyPolicy = (id: string) => ({
  id,
  name: id,
  policyTag: id,
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [block('hourly', 'clock', { permissions: ['ANY_ROLE'] })],
  }),
});
