/** Timers that fire when a test advances their simulated clock. */
import type { Clock, Timers } from '@blockwork/core/adapter';

export class SimulatedTimers implements Timers {
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(private readonly clock: SimulatedClock) {}

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.clock.now() + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Due times, earliest first. */
  get pending(): number[] {
    return [...this.#timers].map(({ at }) => at).sort((a, b) => a - b);
  }

  /** Advances the clock by `ms` and fires due timers at their times, including those set by other timers. */
  advance(ms: number): void {
    const end = this.clock.now() + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.clock.advance(Math.max(0, next.at - this.clock.now()));
      this.#timers.delete(next);
      next.run();
    }
    this.clock.advance(end - this.clock.now());
  }

  /** The earliest timer due by `end`; among equals, the one set first. */
  #next(end: number): { readonly at: number; readonly run: () => void } | undefined {
    let due;
    for (const timer of this.#timers) if (timer.at <= end && (due === undefined || timer.at < due.at)) due = timer;
    return due;
  }
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export class SimulatedClock implements Clock {
  #now: number;

  /** `start`: anything that `Date` parses. Default: the beginning of 2026. */
  constructor(start: string | number = '2026-01-01T00:00:00.000Z') {
    this.#now = new Date(start).getTime();
    if (Number.isNaN(this.#now)) throw new RangeError(`"${String(start)}" is not a date.`);
  }

  now(): number {
    return this.#now;
  }

  /** Advances by milliseconds, or by a duration such as `90s`, `15m`, `2h`, `1d`. Never goes back. */
  advance(by: number | string): void {
    this.#now += milliseconds(by);
  }
}

/** Converts a duration such as `90s` to milliseconds. Throws `RangeError` if malformed or negative. */
export function milliseconds(by: number | string): number {
  const ms = typeof by === 'number' ? by : parse(by);
  if (!(ms >= 0)) throw new RangeError(`A clock cannot advance by ${String(by)}.`);
  return ms;
}

function parse(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  if (match === null) throw new RangeError(`"${text}" is not a duration; write for instance 90s, 15m, 2h or 1d.`);
  return Number(match[1]) * units[match[2] as keyof typeof units];
}
