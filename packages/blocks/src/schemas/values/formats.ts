/** The formats of JSON Schema, for texts of bounded length. */
import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { FORMATTED_CHARACTERS } from '../limits.js';

/** Forms of the reference write times without a zone, which it accepts. */
const { 'iso-time': time, 'iso-date-time': dateTime, ...others } = fullFormats;

export const boundedFormats: Record<string, Format> = Object.fromEntries(
  Object.entries({ ...others, time, 'date-time': dateTime })
    // Checking a pattern would mean compiling it.
    .filter(([name]) => name !== 'regex')
    .map(([name, format]) => [name, bounded(format)]),
);

function bounded(format: Format): Format {
  const test = testOf(format);
  return test === undefined ? format : (text: string) => text.length <= FORMATTED_CHARACTERS && test(text);
}

/** `undefined` for formats that need no bound: those of numbers, and those that accept everything. */
function testOf(format: Format): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return format;
  if (typeof format !== 'object' || format.type === 'number') return undefined;
  const { validate } = format;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  return typeof validate === 'function' ? (validate as (text: string) => boolean) : undefined;
}
