import { BlockworkError } from '../errors.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutPage } from './cut-page.js';

const tooLarge = () => new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: 0 } });

/** Reads records of these sizes, up to so many bytes. */
const reader = (sizes: readonly number[], bytes: number) => {
  const limits: (number | undefined)[] = [];
  const read = ({ limit }: { readonly limit?: number }): Promise<number[]> => {
    limits.push(limit);
    const page = sizes.slice(0, limit);
    return page.reduce((sum, size) => sum + size, 0) > bytes ? Promise.reject(tooLarge()) : Promise.resolve(page);
  };
  return { limits, read };
};

it('a page is what was asked for, or at least half of what fits, and refused only if the first record does not', async () => {
  const size = fc.integer({ min: 1, max: 20 });
  const limits = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.array(size, { maxLength: 40 }), fc.nat({ max: 200 }), limits, async (sizes, bytes, limit) => {
      const { read } = reader(sizes, bytes);
      const wanted = sizes.slice(0, limit);
      let sum = 0;
      const fitting = wanted.filter((each) => (sum += each) <= bytes).length;
      const page = cutPage(limit, read);
      if (fitting === 0 && wanted.length > 0) {
        await expect(page).rejects.toMatchObject({ code: 'PAGE_TOO_LARGE' });
        return;
      }
      expect(await page).toEqual(wanted.slice(0, (await page).length));
      expect((await page).length).toBeGreaterThanOrEqual(fitting === wanted.length ? fitting : Math.ceil(fitting / 2));
    }),
  );
});

it('a page that fits is read once', async () => {
  const { read, limits } = reader([1, 1, 1], 3);
  expect([await cutPage(undefined, read), await cutPage(2, read)]).toEqual([
    [1, 1, 1],
    [1, 1],
  ]);
  expect(limits).toEqual([undefined, 2]);
});

it('a single record that is too large is asked for once', async () => {
  const { read, limits } = reader([9, 1], 3);
  await expect(cutPage(1, read)).rejects.toMatchObject({ code: 'PAGE_TOO_LARGE' });
  expect(limits).toEqual([1]);
});

it('other failures are passed on, whenever they happen', async () => {
  const { read } = reader([1, 1, 1, 1], 1);
  const later = cutPage(4, (size) => (size.limit === 2 ? Promise.reject(new Error('down')) : read(size)));
  await expect(later).rejects.toThrow('down');
  await expect(cutPage(4, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
});
