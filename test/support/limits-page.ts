/** The tables of the page about limits, as tests of the packages read them. */
import { readFile } from 'node:fs/promises';

const page = await readFile(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const units: Readonly<Record<string, number>> = {
  '': 1,
  Mi: 1024 ** 2,
  KiB: 1024,
  MiB: 1024 ** 2,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
};

const rowsIn = (text: string): string[][] => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

/** The default of an option in the tables from this heading on; a row may be about several, whose defaults then stand in their order. */
export function documentedLimit(name: string, from = 'HTTP'): number {
  const isNamed = (options: string): boolean => new RegExp(`\\b${name}\\b`).test(options);
  const rows = rowsIn(page.slice(page.indexOf(`\n## ${from}\n`)));
  const [, , options = '', defaults = ''] = rows.find(([, , cell = '']) => isNamed(cell)) ?? [];
  const several = options.split(', ').findIndex(isNamed);
  const value = defaults.includes(', ') ? defaults.split(', ')[several] : defaults.split(';')[0];
  if (value === 'none') return Infinity;
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)$/.exec(value ?? '') ?? [];
  return digits === '' ? NaN : Number(digits.replaceAll(',', '')) * (units[unit] ?? NaN);
}

/** The options that rows below this heading name alone. */
export function limitsUnder(heading: string): string[] {
  const [section = ''] = page.slice(page.indexOf(`\n## ${heading}\n`) + 1).split('\n## ');
  return rowsIn(section).flatMap(([, , option = '']) => /^`(\w+)`$/.exec(option)?.[1] ?? []);
}

/** The options that rows name as members of another one, as in `limits: { hops }`. */
export const limitsWithin = (option: string): string[] =>
  [...page.matchAll(new RegExp(`\\b${option}: \\{ ?(\\w+) ?\\}`, 'g'))].flatMap(([, name = '']) => name);
