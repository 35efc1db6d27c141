/** `meterReadingBlock`: a resident reads a meter; each reading emits what was used since the one before. */
import { defineBlock } from '@blockwork/core/block';
import { z } from 'zod';

const reading = z.strictObject({ value: z.number().nonnegative() });
export const meterReadingBlock = defineBlock({
  type: 'meterReadingBlock',
  title: 'Meter reading',
  description: 'Takes readings that only grow, and emits the difference to the previous one.',
  kind: 'interface',
  options: z.object({ unit: z.enum(['kWh', 'm3']), max: z.number().positive() }),
  input: reading,
  outputs: ['ReadingEvent'],

  async read(ctx) {
    return { unit: ctx.options.unit, last: (await ctx.state.get(reading))?.value ?? null };
  },

  async receive(ctx, { value }) {
    const last = (await ctx.state.get(reading))?.value ?? 0;
    if (value < last || value > ctx.options.max) {
      ctx.fail('INPUT_INVALID', {
        facts: { reason: `A reading lies between ${last} and ${ctx.options.max}.` },
        details: [{ path: '/value', message: 'out of range' }],
      });
    }
    await ctx.state.set({ value });
    ctx.emit('ReadingEvent', { used: value - last });
    return { used: value - last };
  },
});
