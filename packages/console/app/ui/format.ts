/** Dates and values in words of the reader's locale. */

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const dateText = (iso: string): string => {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : dates.format(time);
};

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The time of the day alone. */
export const timeText = (iso: string): string => {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : times.format(time);
};

/** A JSON value as a short text; objects and lists as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value);
}

/** The value at a dotted path; `L` is the last item of a list. `undefined` where there is none. */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return step === 'L' ? (value.at(-1) as unknown) : (value[Number(step)] as unknown);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Readonly<Record<string, unknown>>)[step];
  }, record);
}
