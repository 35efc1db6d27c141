/** `timerBlock`: at its times, emits the keys of the users whose clocks are running (reference engine, section 7.27). */
import {
  defineBlock,
  documentsIn,
  finding,
  passOn,
  tolerant,
  type Json,
  type RunContext,
  type Timetable,
} from '@blockwork/core/block';
import { z } from 'zod';
import { periods, recurrence, type RecurrenceOptions } from './recurrence.js';

const { listed, text } = tolerant;

const options = z.object({
  startDate: text,
  endDate: text,
  period: listed(...periods),
  periodMask: text,
  /** Blank means every tick. */
  periodInterval: z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => (value === null || value === undefined || value === '' ? 1 : Number(value))),
});

/** Key of the entries of users whose clocks are running; the id of each is the user's key. */
const RUNNING = 'running';

const never: Timetable = { next: () => null };

function timetableOf(written: RecurrenceOptions): Timetable {
  const timetable = recurrence(written);
  return 'next' in timetable ? timetable : never;
}

export const timerBlock = defineBlock({
  type: 'timerBlock',
  title: 'Timer',
  description: 'Fires on a schedule for every user that started it.',
  kind: 'server',
  children: 'none',
  options,
  inputs: ['StartTimerEvent', 'StopTimerEvent'],
  outputs: ['TimerEvent'],
  check(node, written) {
    const timetable = recurrence(written);
    if ('option' in timetable) {
      const message = `The timer "${node.tag}" never ticks: ${timetable.option} cannot be used, ${timetable.reason}.`;
      return [finding(node, { path: `/${timetable.option}`, message })];
    }
    // The first of all moments: the one that an interval of thousands leads to takes half a second to find.
    if (timetableOf({ ...written, periodInterval: 1 }).next(0) !== null) return [];
    const message = `The timer "${node.tag}" never ticks: no moment of its period lies between its startDate and its endDate.`;
    return [finding(node, { severity: 'warning', path: '/period', message })];
  },
  timetable: timetableOf,
  on: {
    async RunEvent(ctx, { data }) {
      await start(ctx, data);
      passOn(ctx, data);
    },
    StartTimerEvent: (ctx, { data }) => start(ctx, data),
    async StopTimerEvent(ctx, { data }) {
      await ctx.entries.remove(ownerKey(ctx, data));
    },
    /** The data lists the keys of the users whose clocks are running, in the order in which they started. */
    async TickEvent(ctx) {
      const running = await ctx.entries.find(RUNNING);
      const keys = running.map(({ id }) => id);
      ctx.emit('TimerEvent', keys);
    },
  },
});

async function start(ctx: RunContext, data: Json): Promise<void> {
  await ctx.entries.put({ id: ownerKey(ctx, data), key: RUNNING, value: true });
}

/**
 * The key of the (first) document's owner in the document's group, even if they have left it; without a document, of the
 * current user.
 */
function ownerKey(ctx: RunContext, data: Json): string {
  const [document] = documentsIn(data);
  if (document === undefined) return ctx.user.key;
  const { owner, group } = document;
  return typeof group === 'string' ? `${group}:${owner}` : owner;
}
