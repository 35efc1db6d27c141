import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstFree, isUniqueVariant } from './unique-name.js';

const NOW = Date.UTC(2026, 2, 14);

it('a name is unchanged if it is free, and gets the time, then a number, if it is taken', async () => {
  const takenNames = new Set<string>();
  const names: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const name = await firstFree('Carbon', NOW, (each) => Promise.resolve(takenNames.has(each)));
    names.push(name);
    takenNames.add(name);
  }
  expect(names).toEqual(['Carbon', `Carbon_${NOW}`, `Carbon_${NOW}_2`, `Carbon_${NOW}_3`]);
});

it('every variant of a name is recognized', async () => {
  const name = fc.string();
  await fc.assert(
    fc.asyncProperty(name, fc.nat(5), fc.integer({ min: 1e12, max: 1e14 }), async (original, collisions, now) => {
      let left = collisions;
      const variant = await firstFree(original, now, () => Promise.resolve((left -= 1) >= 0));
      expect(isUniqueVariant(variant, original)).toBe(true);
    }),
  );
});

it.each([
  ['Carbon 2', 'Carbon'],
  ['Carbon_2', 'Carbon'],
  ['Carbon_1773446400000_', 'Carbon'],
  ['Carbon_1773446400000 final', 'Carbon'],
  ['Carbon', 'Carbon_1773446400000'],
  ['Soil_1773446400000', 'Carbon'],
])('%j is no variant of %j', (name, original) => {
  expect(isUniqueVariant(name, original)).toBe(false);
});
