/** `energyCounterBlock`: adds up the energy that a user reports and emits an event whenever the total passes a full amount. */
import { defineBlock, type ReadContext } from '@blockwork/core/block';
import { z } from 'zod';

/** The block's state per user. */
const counted = z.object({ kWh: z.number(), readings: z.number().int() });

export const energyCounterBlock = defineBlock({
  type: 'energyCounterBlock',
  title: 'Energy counter',
  description: 'Adds up reported kilowatt hours. Each time they reach the full amount, what comes after it runs.',
  kind: 'interface',
  /** The options that a policy author writes; validated when the policy is compiled. */
  options: z.object({ fullAt: z.number().positive() }),
  /** The data that a user sends; validated before `receive` is called. */
  input: z.strictObject({ kWh: z.number().positive().max(1_000_000) }),
  outputs: ['FullEvent'],

  async read(ctx) {
    const sofar = await countedBy(ctx);
    return { ...sofar, missing: ctx.options.fullAt - sofar.kWh };
  },

  /** Any excess counts towards the next amount. */
  async receive(ctx, { kWh }) {
    const { fullAt } = ctx.options;
    const before = await countedBy(ctx);
    const total = before.kWh + kWh;
    const certificates = Math.floor(total / fullAt);
    await ctx.state.set({ kWh: total - certificates * fullAt, readings: before.readings + 1 });
    if (certificates > 0) ctx.emit('FullEvent', { certificates });
    return { certificates };
  },
});

const countedBy = async ({ state }: ReadContext): Promise<z.infer<typeof counted>> =>
  (await state.get(counted)) ?? { kWh: 0, readings: 0 };
