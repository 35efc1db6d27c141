import { expect, it } from 'vitest';
import { closestTo, didYouMean } from './closest-name.js';

const names = ['receive', 'read', 'options', 'outputs'];

it.each([
  ['recieve', 'receive'],
  ['Receive', 'receive'],
  ['recive', 'receive'],
  ['raed', 'read'],
  ['option', 'options'],
  ['output', 'outputs'],
])('of "%s", "%s" was meant', (word, meant) => {
  expect(closestTo(word, names)).toBe(meant);
});

it.each(['colour', 'x', '', 'rad_io', 'reverse'])('"%s" is close to nothing', (word) => {
  expect(closestTo(word, names)).toBeUndefined();
});

it('prefers the closest of several', () => {
  expect(closestTo('outputss', ['inputs', 'output', 'outputs'])).toBe('outputs');
  expect(closestTo('x', [])).toBeUndefined();
});

it('gives so many hints from a large collection, and any number from a small one', () => {
  const large = new Map(Array.from({ length: 2_000 }, (_, index) => [`block ${String(index)}`, index]));
  const hints = Array.from({ length: 200 }, () => didYouMean('blok 1234', large));
  expect(hints.filter((hint) => hint !== '')).toHaveLength(100);
  expect(Array.from({ length: 100_000 }, () => didYouMean('raed', names)).at(-1)).toBe(' (did you mean "read"?)');
});
