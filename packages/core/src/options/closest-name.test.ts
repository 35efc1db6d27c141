import { expect, it } from 'vitest';
import { closestTo } from './closest-name.js';

const known = ['receive', 'read', 'options', 'outputs'];

it.each([
  ['recieve', 'receive'],
  ['Receive', 'receive'],
  ['recive', 'receive'],
  ['raed', 'read'],
  ['option', 'options'],
  ['output', 'outputs'],
])('of "%s", "%s" was meant', (given, meant) => {
  expect(closestTo(given, known)).toBe(meant);
});

it.each(['colour', 'x', '', 'rad_io', 'reverse'])('"%s" is close to nothing', (given) => {
  expect(closestTo(given, known)).toBeUndefined();
});

it('prefers the closest of several', () => {
  expect(closestTo('outputss', ['inputs', 'output', 'outputs'])).toBe('outputs');
  expect(closestTo('x', [])).toBeUndefined();
});
