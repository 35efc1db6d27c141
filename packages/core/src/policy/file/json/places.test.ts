import { expect, test } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { placesIn } from './places.js';

const text = `// a policy
{
  "name": "A, [b] {c}",
  "config": {
    "tag": "root", /* the root */ "children": [
      { "tag": "first" },
      { "tag": "second", "a/b~c": [1,
        2] }
    ]
  }
}
`;

test.each([
  ['', 2, 1],
  ['/name', 3, 3],
  ['/config/children', 5, 35],
  ['/config/children/0', 6, 7],
  ['/config/children/1/tag', 7, 9],
  ['/config/children/1/a~1b~0c/1', 8, 9],
])('%j is found', (pointer, line, column) => {
  expect(placesIn(text, [pointer]).get(pointer)).toEqual({ line, column });
});

test('what is not there is at the nearest value around it', () => {
  const places = placesIn(text, ['/config/children/1/permissions/0', '/config/children/7', '/tokens']);
  expect([...places.values()]).toEqual([
    { line: 7, column: 7 },
    { line: 5, column: 35 },
    { line: 2, column: 1 },
  ]);
});

test('of equal names the last one counts, as for JSON.parse', () => {
  expect(placesIn('{"a": 1,\n"\\u0061": {"b": 2}}', ['/a/b']).get('/a/b')).toEqual({ line: 2, column: 12 });
});

test('a text that is no JSON has the places that it has', () => {
  expect(placesIn('}{"a": [', ['/a/0']).get('/a/0')).toEqual({ line: 1, column: 3 });
  expect(placesIn('', ['/a']).size).toBe(0);
});

test('finds many members of one object in time in proportion to their number', () => {
  const finding = (size: number) => {
    const names = Array.from({ length: size }, (_, index) => `m${index}`);
    const object = JSON.stringify(Object.fromEntries(names.map((name) => [name, 0])), null, 1);
    const pointers = names.map((name) => `/${name}`);
    return (): void => {
      expect(placesIn(object, pointers).get(pointers.at(-1) ?? '')).toEqual({ line: size + 1, column: 2 });
    };
  };
  expect(growth(finding, 8_000)).toBeLessThan(32);
});
