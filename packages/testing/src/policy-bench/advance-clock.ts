/** Advances a simulated clock from one due time to the next, so that scheduled work runs at its time. */
import type { ProgramSchedule } from '@blockwork/core';
import { milliseconds, type SimulatedClock } from '../simulated-clock.js';

/** Beyond this many runs at one moment, something reschedules itself without a delay. */
const MAX_RUNS_AT_ONE_MOMENT = 1000;

export async function advanceClock(
  schedule: Pick<ProgramSchedule, 'getNextDue' | 'runDue'>,
  clock: SimulatedClock,
  by: number | string,
): Promise<void> {
  const end = clock.now() + milliseconds(by);
  let runs = 0;
  for (let due = await schedule.getNextDue(); due !== null && due <= end; due = await schedule.getNextDue()) {
    runs = due > clock.now() ? 0 : runs + 1;
    if (runs > MAX_RUNS_AT_ONE_MOMENT)
      throw new Error(
        `More than ${MAX_RUNS_AT_ONE_MOMENT} runs are due at ${isoAt(clock.now())}: a block reschedules itself without a delay.`,
      );
    clock.advance(Math.max(0, due - clock.now()));
    await schedule.runDue();
  }
  clock.advance(end - clock.now());
}

const isoAt = (moment: number): string => new Date(moment).toISOString();
