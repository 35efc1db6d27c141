import { expect, it } from 'vitest';
import { layoutOf } from '../app/documents/chain-layout.js';

it('draws each link of a chain to the right of what it builds on, and none over another', () => {
  const places = layoutOf([
    { messageId: 'policy', buildsOn: [] },
    { messageId: 'role', buildsOn: ['policy'] },
    { messageId: 'site', buildsOn: ['policy'] },
    { messageId: null, buildsOn: ['role', 'site', 'gone'] },
  ]);
  expect(places.map(({ column, row }) => [column, row])).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
  expect(places[3]?.from).toEqual([1, 2]);
});

it('draws a link that names itself, or one that comes later, without going round in circles', () => {
  const places = layoutOf([
    { messageId: 'a', buildsOn: ['a', 'b'] },
    { messageId: 'b', buildsOn: ['a'] },
  ]);
  expect(places.map(({ column }) => column)).toEqual([0, 1]);
});
