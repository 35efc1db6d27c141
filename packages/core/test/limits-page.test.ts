import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { defaultEngineLimits } from '../src/engine/limits.js';
import { defaultPolicyFileLimits } from '../src/policy/file/limits/limits.js';

const page = await readFile(new URL('../../../docs/limits.md', import.meta.url), 'utf8');

const units: Readonly<Record<string, number>> = {
  '': 1,
  Mi: 1024 ** 2,
  KiB: 1024,
  MiB: 1024 ** 2,
  s: 1000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
};

function parsed(text: string): number {
  if (text === 'none') return Infinity;
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)$/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (units[unit] ?? NaN);
}

it.each(Object.entries({ ...defaultEngineLimits, ...defaultPolicyFileLimits }))(
  'docs/limits.md gives the default of the limit %s',
  (name, value) => {
    const row = new RegExp(`^\\|[^|]+\\| [^|]*\\b${name}\\b[^|]*\\| +([^|]+?)(?:;[^|]*)? +\\|`, 'm').exec(page);
    expect(parsed(row?.[1] ?? 'missing')).toBe(value);
  },
);
