/** Counts the ticks of a cron mask between two moments without visiting each tick. */
import { Cron } from 'croner';

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
