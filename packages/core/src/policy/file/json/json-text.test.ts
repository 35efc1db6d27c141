/** The text of blocks is the JSON text that any other program writes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnce } from '../../../loop-share.js';
import type { BlockSource } from '../../../records/index.js';
import { jsonTextOf } from './json-text.js';

const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
const blockAround = (children: fc.Arbitrary<BlockSource[]>): fc.Arbitrary<BlockSource> =>
  fc
    .record({ before: fc.dictionary(fc.string(), member, { maxKeys: 3 }), children, later: member })
    .map(({ before, ...rest }) => ({ ...before, tag: 'a', ...rest }) as unknown as BlockSource);
const leaf = blockAround(fc.constant([]));
const branch = blockAround(fc.array(leaf, { maxLength: 3 }));
const block = blockAround(fc.array(fc.oneof(leaf, branch), { maxLength: 3 }));

it('is that of JSON.stringify, whatever the blocks hold', () => {
  fc.assert(
    fc.property(block, (written) => {
      expect(atOnce(jsonTextOf(written))).toBe(JSON.stringify(written));
    }),
  );
});

it('lets go after each block', () => {
  const child = { tag: 'child', children: [] };
  const steps = jsonTextOf({
    tag: 'root',
    children: Array.from({ length: 99 }, () => child),
  } as unknown as BlockSource);
  let yields = 0;
  while (steps.next().done !== true) yields += 1;
  expect(yields).toBe(100);
});
