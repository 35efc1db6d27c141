/** Formats dates and values for the reader's locale. */

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const dateText = (iso: string): string => {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : dates.format(time);
};

/** Whether a text is a moment as documents have it, for instance `2026-10-02T08:30:00.000Z`. A date alone is none. */
export const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The time of the day alone. */
export const timeText = (iso: string): string => {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : times.format(time);
};

const counts = new Intl.NumberFormat();

export const countText = (count: number): string => counts.format(count);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A length of time in its largest unit, for instance `3 hours`. */
export function spanText(milliseconds: number): string {
  const [unit, size] = units.find(([, length]) => milliseconds >= length) ?? ['second', 1000];
  const count = Math.max(0, Math.floor(milliseconds / size));
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

const seconds = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
const milliseconds = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });

/** A short length of time, for instance `240 ms` or `3.1 sec`. */
export const millisecondsText = (ms: number): string =>
  ms < 1000 ? milliseconds.format(ms) : seconds.format(ms / 1000);

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** How long ago, for instance `3 min. ago`. `now`: milliseconds of the clock of this page, which may be behind. */
export function agoText(iso: string, now: number): string {
  const past = Math.max(0, now - Date.parse(iso));
  if (Number.isNaN(past)) return iso;
  const [unit, size] = units.find(([, length]) => past >= length) ?? ['second', 1000];
  return relative.format(unit === 'second' && past < 10_000 ? 0 : -Math.floor(past / size), unit);
}
