/** `timerBlock`: at its times, tells which users' clocks are running (reference engine, section 7.27). */
import {
  RUN,
  TICK,
  type Block,
  type BlockEvent,
  type BlockNode,
  type Finding,
  type Json,
  type RunContext,
  type Timetable,
} from '@blockwork/core/block';
import { z } from 'zod';
import { documentsIn } from '../common/event-documents.js';
import { text } from '../common/option-schemas.js';
import { passOn } from '../common/standard-outputs.js';
import { recurrence } from './recurrence.js';

const options = z.object({
  startDate: text,
  endDate: text,
  period: text,
  periodMask: text,
  /** Blank means every tick. */
  periodInterval: z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => (value === null || value === undefined || value === '' ? 1 : Number(value))),
});
type Options = z.infer<typeof options>;

/** The rows of users whose clock runs; each is named by the user's key. */
const RUNNING = 'running';

export class TimerBlock implements Block<Options> {
  readonly about = {
    type: 'timerBlock',
    title: 'Timer',
    description: 'Ticks at set times, for every user that started it.',
    kind: 'server',
    children: 'none',
    inputs: ['StartTimerEvent', 'StopTimerEvent'],
    outputs: ['TimerEvent'],
  } as const;
  readonly options = options;

  check(node: BlockNode, written: Options): Finding[] {
    const made = recurrence(written);
    if ('next' in made) return [];
    return [
      {
        severity: 'error',
        code: 'OPTIONS_INVALID',
        message: `The timer "${node.tag}" never ticks: ${made.option} cannot be used, ${made.reason}.`,
        path: `${node.path}/${made.option}`,
        block: node.uuid,
        tag: node.tag,
      },
    ];
  }

  timetable(written: Options): Timetable {
    const made = recurrence(written);
    return 'next' in made ? made : never;
  }

  readonly on = {
    [RUN]: async (ctx: RunContext<Options>, event: BlockEvent): Promise<void> => {
      await start(ctx, event);
      passOn(ctx, event.data);
    },
    StartTimerEvent: (ctx: RunContext<Options>, event: BlockEvent): Promise<void> => start(ctx, event),
    StopTimerEvent: async (ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> => {
      await ctx.entries.remove(ownerKey(ctx, data));
    },
    /** Data is the keys of the users whose clock runs, those who started first coming first. */
    [TICK]: async (ctx: RunContext<Options, 'TimerEvent'>): Promise<void> => {
      const running = await ctx.entries.find(RUNNING);
      ctx.emit(
        'TimerEvent',
        running.map(({ id }) => id),
      );
    },
  };
}

const never: Timetable = { next: () => null };

async function start(ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> {
  await ctx.entries.put({ id: ownerKey(ctx, data), key: RUNNING, value: true });
}

/**
 * The key of whoever owns the (first) document, in the group that it belongs to, also when they are in it no more; without
 * a document, of the current user.
 */
function ownerKey(ctx: RunContext<Options>, data: Json): string {
  const [document] = documentsIn(data);
  if (document === undefined) return ctx.user.key;
  const { owner, group } = document;
  return typeof group === 'string' ? `${group}:${owner}` : owner;
}
