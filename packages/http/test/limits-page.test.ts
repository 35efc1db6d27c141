/** The page about limits gives the defaults of the HTTP interface. */
import { expect, it } from 'vitest';
import { documentedLimit } from '../../../test/support/limits-page.js';
import { defaultKeySetLimits } from '../src/auth/remote-keys.js';
import { defaultCacheSize } from '../src/auth/token-authenticator.js';
import { defaultLimits } from '../src/limits/default-limits.js';

const { burstSeconds, ...limits } = defaultLimits;
const { bytes, ...keySet } = defaultKeySetLimits;

it.each(Object.entries({ ...limits, ...keySet, cacheSize: defaultCacheSize, burstSeconds: burstSeconds * 1000 }))(
  'docs/limits.md gives the default of %s',
  (name, value) => {
    expect(documentedLimit(name)).toBe(value);
  },
);

it('docs/limits.md gives the default size of a key set', () => {
  expect(documentedLimit('keySet: { bytes')).toBe(bytes);
});
