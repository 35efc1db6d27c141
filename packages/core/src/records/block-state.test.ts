import { blockStateId } from '@blockwork/core/records';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it('no two pairs of block and user share a state', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('a', 'a/b', 'b', '%2F', '/', '', 'group:did:x:y', '__proto__'));
  fc.assert(
    fc.property(part, part, part, part, (tag, user, otherTag, otherUser) => {
      expect(blockStateId(tag, user) === blockStateId(otherTag, otherUser)).toBe(
        tag === otherTag && user === otherUser,
      );
    }),
    { numRuns: 1000 },
  );
});
