/** Time that goes by in a test: from one moment at which something is due to the next, so that each happens when it should. */
import type { ProgramSchedule } from '@blockwork/core';
import { milliseconds, type SimulatedClock } from '../simulated-clock.js';

/** A block that is due again at once, this often, would never let time pass. */
const TIMES_AT_ONE_MOMENT = 1000;

export async function advanceClock(
  schedule: Pick<ProgramSchedule, 'getNextDue' | 'runDue'>,
  clock: SimulatedClock,
  by: number | string,
): Promise<void> {
  const end = clock.now() + milliseconds(by);
  let here = 0;
  for (let due = await schedule.getNextDue(); due !== null && due <= end; due = await schedule.getNextDue()) {
    here = due > clock.now() ? 0 : here + 1;
    if (here > TIMES_AT_ONE_MOMENT) throw new Error(`Something is due again and again at ${isoAt(clock.now())}.`);
    clock.advance(Math.max(0, due - clock.now()));
    await schedule.runDue();
  }
  clock.advance(end - clock.now());
}

const isoAt = (moment: number): string => new Date(moment).toISOString();
