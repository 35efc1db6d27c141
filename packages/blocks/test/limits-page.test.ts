import { expect, it } from 'vitest';
import { documentedLimit, limitsWithin } from '../../../test/support/limits-page.js';
import { formulaRunLimits } from '../src/formulas/runner/options.js';
import { scriptLimits } from '../src/scripts/limits.js';

const tables = [
  ['formulas', 'Formulas of policies', formulaRunLimits()],
  ['scripts', 'Scripts of policies', scriptLimits()],
] as const;

it.each(tables)('docs/limits.md has the limits of %s with their defaults, and no other', (option, heading, limits) => {
  expect(limitsWithin(option).sort()).toEqual(Object.keys(limits).sort());
  for (const [name, value] of Object.entries(limits)) expect(documentedLimit(name, heading), name).toBe(value);
});
