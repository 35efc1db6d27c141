/** Patterns of schemas: what they match is what JavaScript matches, in time that nobody can make endless. */
import { expect, it } from 'vitest';
import { drawn } from './support/mutations.js';
import { Patterns } from '../src/schema/patterns.js';

const texts = [
  '',
  'a',
  'aab',
  'abd',
  'foo bar',
  'a@b',
  '123-45',
  '2024-13',
  '😀😀',
  '\ud83d',
  ']a-',
  'Abc',
  'A\u0001',
  '\n',
  'é',
];

it.each([
  ...[
    '^[^\\s@]+@[^\\s@]+$',
    '^\\d{3}-\\d{2,4}$',
    '\\bfoo\\b',
    '\\Bo',
    '^\\u{1F600}+$',
    '^\\ud83d\\ude00',
    '^[\\]a\\-]+$',
  ],
  ...[
    '(?<n>ab|c)+d',
    '^\\p{Lu}\\p{Ll}*$',
    '',
    'a|',
    '^\\x41\\cA?$',
    '[^]',
    '[]',
    '^.{2,}$',
    '^[0-9]{4}-(0[1-9]|1[0-2])$',
  ],
  ...['(a|ab)(c|bcd)(d*)$', '^(?:)*$', '^(?:a{2,3}){2}$', '^a??b*?$', '(?:^|@)b$', '^\\u0041', '\\/|\\.'],
])('%s matches what it matches in JavaScript', (pattern) => {
  const own = texts.filter((text) => new Patterns().matches(pattern, text));
  expect(own).toEqual(texts.filter((text) => new RegExp(pattern, 'u').test(text)));
});

it('any pattern of groups, choices and repetitions matches what it matches in JavaScript', () => {
  const random = drawn(1);
  const pieces = ['a', 'b', '|', '(', ')', '*', '+', '?', '{1,2}', '{2}', '^', '$', '.', '[ab]', '\\b', '(?:'];
  const some = (from: readonly string[], most: number): string =>
    Array.from({ length: random(most) }, () => from[random(from.length)]).join('');
  let compared = 0;
  while (compared < 5_000) {
    const pattern = some(pieces, 10);
    const text = some(['a', 'b', ' ', 'c'], 7);
    let expected: boolean;
    try {
      expected = new RegExp(pattern, 'u').test(text);
    } catch {
      continue;
    }
    expect(new Patterns().matches(pattern, text), `${pattern} in "${text}"`).toBe(expected);
    compared += 1;
  }
});

it.each(['^(a+)+$', '^(a|a)*(a|a)*$', '^(a?){50}a{50}$'])('%s does not backtrack', (pattern) => {
  expect(new Patterns().matches(pattern, `${'a'.repeat(5_000)}!`)).toBe(false);
});

it.each([
  ['(?=a)', 'looks around'],
  ['(?<!a)b', 'looks around'],
  ['(a)\\1', 'refers back'],
  ['(?<n>a)\\k<n>', 'refers back'],
  [`${'('.repeat(60)}${')'.repeat(60)}`, 'nests too deep'],
  ['(a{1000}){1000}', 'too large'],
  ['(?:){999999999}', 'too large'],
  ['[a', 'cannot be read'],
])('%s is not used, with the reason', (pattern, reason) => {
  expect(() => new Patterns().matches(pattern, 'aa')).toThrow(reason);
});

it('the texts of a bundle share their effort', () => {
  const patterns = new Patterns();
  const text = 'a'.repeat(5_000);
  const all = (): void => {
    for (let at = 0; at < 100; at += 1) patterns.matches('(a?){500}!', text);
  };
  expect(all).toThrow('takes too long');
});
