import { defaultSandboxLimits } from '@blockwork/sandbox';
import { expect, it } from 'vitest';
import { documentedLimit, limitsUnder } from '../../../test/support/limits-page.js';

it.each(Object.entries(defaultSandboxLimits))('docs/limits.md gives the default of the limit %s', (name, value) => {
  expect(documentedLimit(name, 'The sandbox')).toBe(value);
});

it('docs/limits.md names no limit that there is not', () => {
  expect(limitsUnder('The sandbox').sort()).toEqual(Object.keys(defaultSandboxLimits).sort());
});
