/** The ticks of a timer, calculated from its start, end, period and interval. */
import type { Timetable } from '@blockwork/core/block';
import { Cron } from 'croner';
import { momentOf } from './moment.js';
import { tickCount } from './tick-count.js';

export interface RecurrenceOptions {
  /** ISO 8601; in UTC without an offset. A named period repeats its minute, hour, day and so on. */
  readonly startDate: string;
  /** ISO 8601; empty for no end. */
  readonly endDate: string;
  /** `yearly`, `monthly`, `weekly`, `daily`, `hourly`, or `custom` with a mask. */
  readonly period: string;
  /** Five cron fields, or six with seconds first; in UTC. */
  readonly periodMask: string;
  /** Every n-th tick counts. */
  readonly periodInterval: number;
}

/** The invalid option, and why it is invalid. */
export interface RecurrenceFault {
  readonly option: keyof RecurrenceOptions;
  readonly reason: string;
}

export const periods = ['yearly', 'monthly', 'weekly', 'daily', 'hourly', 'custom'];

const INTERVAL_AT_MOST = 10_000;

/** The first tick is one period after the start date. */
export function recurrence(options: RecurrenceOptions): Timetable | RecurrenceFault {
  const start = momentOf(options.startDate);
  if (start === undefined) return { option: 'startDate', reason: notADate(options.startDate) };
  const end = options.endDate === '' ? Infinity : momentOf(options.endDate);
  if (end === undefined) return { option: 'endDate', reason: notADate(options.endDate) };
  const interval = options.periodInterval;
  if (!Number.isInteger(interval) || interval < 1 || interval > INTERVAL_AT_MOST) {
    return { option: 'periodInterval', reason: `it must be a whole number from 1 to ${String(INTERVAL_AT_MOST)}` };
  }
  const mask = maskOf(options.period, options.periodMask, new Date(start));
  if (mask === undefined) return { option: 'period', reason: `there is no period "${options.period}"` };
  const cron = parsed(mask);
  if (cron === undefined) return { option: 'periodMask', reason: `"${mask}" is not a cron mask of five or six fields` };
  return {
    next: (after) => {
      let tick = cron.nextRun(new Date(Math.max(after, start)));
      if (tick !== null && interval > 1) {
        const over = tickCount(mask, start, tick.getTime()) % interval;
        if (over > 0) tick = cron.nextRuns(interval - over, tick).at(interval - over - 1) ?? null;
      }
      return tick === null || tick.getTime() > end ? null : tick.getTime();
    },
  };
}

const notADate = (text: string): string => `"${text}" is not a date such as 2026-10-31 or 2026-10-31T08:00:00Z`;

/** The cron mask that matches `start`, and the corresponding moment of each period. */
function maskOf(period: string, custom: string, start: Date): string | undefined {
  const [minute, hour, day, month, weekday] = [
    start.getUTCMinutes(),
    start.getUTCHours(),
    start.getUTCDate(),
    start.getUTCMonth() + 1,
    start.getUTCDay(),
  ].map(String);
  switch (period) {
    case 'yearly':
      return `${minute} ${hour} ${day} ${month} *`;
    case 'monthly':
      return `${minute} ${hour} ${day} * *`;
    case 'weekly':
      return `${minute} ${hour} * * ${weekday}`;
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'hourly':
      return `${minute} * * * *`;
    case 'custom':
      return withRanges(custom.trim());
    default:
      return undefined;
  }
}

/** The last value of each field of a mask, with the seconds first. */
const LAST = [59, 59, 23, 31, 12, 6];

/** `5/15` is short for `5-59/15`: from the fifth minute on, every fifteen. */
function withRanges(mask: string): string {
  const fields = mask.split(/\s+/);
  const last = LAST.slice(LAST.length - fields.length);
  return fields.map((field, at) => field.replace(/(^|,)(\d+)\//g, `$1$2-${String(last[at])}/`)).join(' ');
}

function parsed(mask: string): Cron | undefined {
  try {
    return new Cron(mask, { timezone: 'UTC', paused: true, mode: '5-or-6-parts' });
  } catch {
    return undefined;
  }
}
