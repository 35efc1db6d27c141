/** `meterReadingBlock`: a resident reads a meter; each reading emits what was used since the one before. */
import type { Block, ReadContext, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

const options = z.object({ unit: z.enum(['kWh', 'm3']), max: z.number().positive() });
type Options = z.infer<typeof options>;

const reading = z.strictObject({ value: z.number().nonnegative() });
type Reading = z.infer<typeof reading>;

export class MeterReadingBlock implements Block<Options, Reading> {
  readonly about = {
    type: 'meterReadingBlock',
    title: 'Meter reading',
    description: 'Takes readings that only grow, and emits the difference to the previous one.',
    kind: 'interface',
    children: 'none',
    outputs: ['ReadingEvent'],
  } as const;
  readonly options = options;
  readonly input = reading;

  async read(ctx: ReadContext<Options>): Promise<{ unit: string; last: number | null }> {
    return { unit: ctx.options.unit, last: (await ctx.state.get(reading))?.value ?? null };
  }

  async receive(ctx: RunContext<Options>, { value }: Reading): Promise<{ used: number }> {
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
  }
}
