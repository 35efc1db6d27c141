import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { plainJson } from './plain-json.js';

test.each([
  ['a comment to the end of its line', '{ // why\n"a": 1 }', '{       \n"a": 1 }'],
  ['a comment between values', '{"a": /* one\nor two */ 2}', '{"a":       \n          2}'],
  ['commas behind the last item and the last member', '{"a": [1, 2,], "b": 3,}', '{"a": [1, 2 ], "b": 3 }'],
  ['a trailing comma before comments', '[1, // one\n /* no more */ ]', '[1        \n               ]'],
])('%s becomes spaces', (_, written, plain) => {
  expect(plainJson(written)).toBe(plain);
});

test.each([
  ['signs in texts', '{"a": "// no, /* no */ ,]", "b\\"": "\\\\"}'],
  ['a comma without a value before it', '[,]'],
  ['two commas', '[1,,]'],
  ['a text that does not end', '{"a": "// '],
  ['a lone slash', '{"a": 1 / 2}'],
])('%s stay', (_, text) => {
  expect(plainJson(text)).toBe(text);
});

test('any JSON stays as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(plainJson(text)).toBe(text);
    }),
  );
});

test.each(['/', '/*', '"\\"', ',/**/', '[1,'])('takes time in proportion to a text of %j', (part) => {
  const reading = (size: number) => (): void => {
    const text = part.repeat(size);
    expect(plainJson(text)).toHaveLength(text.length);
  };
  expect(growth(reading, 20_000)).toBeLessThan(32);
});
