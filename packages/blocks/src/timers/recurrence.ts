/** The ticks of a timer, calculated from its start, end, period and interval. */
import type { Timetable } from '@blockwork/core/block';
import { Cron } from 'croner';

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

const DAY = 86_400_000;

/** Ticks after `from` up to and including `to`, in milliseconds since 1970; earlier ticks do not count. The mask must be valid. */
export function tickCount(mask: string, from: number, to: number): number {
  const fields = mask.split(/\s+/);
  const [second = '0', minute = '*', hour = '*', ...days] = fields.length === 6 ? fields : ['0', ...fields];
  const clock = {
    hours: matching(24, `0 0 ${hour} * * *`, 3_600_000),
    minutes: matching(60, `0 ${minute} * * * *`, 60_000),
    seconds: matching(60, `${second} * * * * *`, 1_000),
  };
  const day = masked(`0 0 0 ${days.join(' ')}`);
  const first = Math.max(0, Math.floor(from / DAY));
  const last = Math.floor(to / DAY);
  const perDay = clock.hours.length * clock.minutes.length * clock.seconds.length;
  let total = 0;
  for (let at = first; at < last; at += 1) if (day.match(new Date(at * DAY))) total += perDay;
  if (day.match(new Date(last * DAY))) total += ticksInDay(clock, to);
  return day.match(new Date(first * DAY)) ? total - ticksInDay(clock, Math.max(0, from)) : total;
}

interface ClockFields {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

/** Ticks up to and including the time of day of `moment`, on a day that the mask matches. */
function ticksInDay({ hours, minutes, seconds }: ClockFields, moment: number): number {
  const time = new Date(moment);
  const [hour, minute, second] = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  const below = (values: readonly number[], limit: number): number => values.filter((value) => value < limit).length;
  let ticks = below(hours, hour) * minutes.length * seconds.length;
  if (!hours.includes(hour)) return ticks;
  ticks += below(minutes, minute) * seconds.length;
  return minutes.includes(minute) ? ticks + below(seconds, second + 1) : ticks;
}

/** The values of one field that the mask matches. */
function matching(count: number, mask: string, step: number): number[] {
  const cron = masked(mask);
  return Array.from({ length: count }, (_, value) => value).filter((value) => cron.match(new Date(value * step)));
}

const masked = (mask: string): Cron => new Cron(mask, { timezone: 'UTC', paused: true, mode: '6-part' });

/** Dates of policies name the same moment on every machine. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** In milliseconds; a time without an offset is in UTC. `undefined` for anything but a date of ISO 8601 that exists. */
export function momentOf(text: string): number | undefined {
  const [, date = '', time = '00:00', offset = 'Z'] = DATE.exec(text.trim()) ?? [];
  const day = new Date(`${date}T00:00Z`);
  // The 30th of February is no day, though it can be parsed as one of March.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  const moment = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(moment) ? undefined : moment;
}
