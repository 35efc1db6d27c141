/** Dates of policies: the same moment on every machine. */

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
