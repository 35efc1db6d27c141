import { describe, expect, it } from 'vitest';
import { copyJson } from './copy-json.js';

const limits = { nesting: 3, values: 20, entryBytes: 10_000 };

describe('a value that is no JSON', () => {
  it.each([
    ['as a whole', undefined, 'the value is of the type undefined, which JSON cannot hold'],
    ['as a whole, of a class', new Map(), 'the value is not a plain object'],
    ['as a member', { a: [Number.NaN] }, 'the value at /a/0 is NaN, which JSON cannot hold'],
  ])('is refused in a sentence that says where it is: %s', (_, value, sentence) => {
    expect(() => copyJson(value, limits)).toThrow(sentence);
  });
});

it('a value of more values than the limit is refused', () => {
  const list = (length: number) => ({ list: Array.from({ length }, () => 0) });
  expect(copyJson(list(18), limits)).toEqual(list(18));
  expect(() => copyJson(list(19), limits)).toThrow('it holds more than the limit of 20 values');
});
