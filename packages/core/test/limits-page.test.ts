import { defaultEngineLimits, defaultPolicyFileLimits } from '@blockwork/core';
import { expect, it } from 'vitest';
import { documentedLimit, limitsUnder, limitsWithin } from '../../../test/support/limits-page.js';

it.each(Object.entries(defaultEngineLimits))('docs/limits.md gives the default of the limit %s', (name, value) => {
  expect(documentedLimit(name, 'The engine')).toBe(value);
});

it.each(Object.entries(defaultPolicyFileLimits))(
  'docs/limits.md gives the default of the file limit %s',
  (name, value) => {
    expect(documentedLimit(name, 'Policy files')).toBe(value);
  },
);

it('docs/limits.md names no limit that there is not', () => {
  const named = [...limitsUnder('The engine'), ...limitsWithin('limits')];
  expect(named.sort()).toEqual(Object.keys(defaultEngineLimits).sort());
  expect(limitsUnder('Policy files').sort()).toEqual(Object.keys(defaultPolicyFileLimits).sort());
});
