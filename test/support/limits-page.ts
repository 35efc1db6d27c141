/** The part about HTTP of the page about limits, as tests of the packages read it. */
import { readFile } from 'node:fs/promises';

const text = await readFile(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const page = text.slice(text.indexOf('\n## HTTP\n'));
const units: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
};

/** The default of an option; a row may be about several, whose defaults then stand in their order. */
export function documentedLimit(name: string): number {
  const isNamed = (options: string): boolean => new RegExp(`\\b${name}\\b`).test(options);
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const [, , options = '', defaults = ''] = rows.find(([, , cell = '']) => isNamed(cell)) ?? [];
  const several = options.split(', ').findIndex(isNamed);
  const value = defaults.includes(', ') ? defaults.split(', ')[several] : defaults;
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)$/.exec(value ?? '') ?? [];
  return digits === '' ? NaN : Number(digits.replaceAll(',', '')) * (units[unit] ?? NaN);
}
