/** `energyCounterBlock`: adds up the energy that a user reports, and says so whenever a full amount has come together. */
import type { Block, ReadContext, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

/** What a policy author writes into the block; checked when the policy is compiled. */
const options = z.object({ fullAt: z.number().positive() });
type Options = z.infer<typeof options>;

/** What a user sends; checked before `receive` is called. */
const reading = z.strictObject({ kWh: z.number().positive().max(1_000_000) });
type Reading = z.infer<typeof reading>;

/** What the block remembers of each user. */
const counted = z.object({ kWh: z.number(), readings: z.number().int() });
type Counted = z.infer<typeof counted>;

export class EnergyCounter implements Block<Options, Reading> {
  readonly about = {
    type: 'energyCounterBlock',
    title: 'Energy counter',
    description: 'Adds up reported kilowatt hours. Each time they reach the full amount, what comes after it runs.',
    kind: 'interface',
    children: 'none',
    outputs: ['FullEvent'],
  } as const;
  readonly options = options;
  readonly input = reading;

  async read(ctx: ReadContext<Options>): Promise<Counted & { missing: number }> {
    const sofar = await this.#counted(ctx);
    return { ...sofar, missing: ctx.options.fullAt - sofar.kWh };
  }

  /** What is over the full amount counts for the next one. */
  async receive(ctx: RunContext<Options, 'FullEvent'>, { kWh }: Reading): Promise<{ certificates: number }> {
    const { fullAt } = ctx.options;
    const before = await this.#counted(ctx);
    const total = before.kWh + kWh;
    const certificates = Math.floor(total / fullAt);
    await ctx.state.set({ kWh: total - certificates * fullAt, readings: before.readings + 1 });
    if (certificates > 0) ctx.emit('FullEvent', { certificates });
    return { certificates };
  }

  async #counted(ctx: ReadContext<Options>): Promise<Counted> {
    return (await ctx.state.get(counted)) ?? { kWh: 0, readings: 0 };
  }
}
