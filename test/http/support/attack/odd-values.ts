/** One change to a good value, of the kinds that break programs: another type, another size, a name that is no name. */
import fc from 'fast-check';
import { oddities } from './fitting.js';

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { child: value };
  return value;
};

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -1, 0.1, -0, 1e308, 5e-324, 2 ** 53 + 2, -2147483649],
    ...[
      '',
      '\ud800',
      '1e999',
      '2026-13-45',
      'did:',
      '#',
      '../../etc/passwd',
      '{{secret:KEY}}',
      '$where',
      'NaN',
      '${7*7}',
    ],
    ...[[], {}, [[]], [null], nested(90), nested(400)],
    ...[{ length: 1e9 }, { then: 'x' }, { toString: 1, valueOf: null, constructor: 0, hasOwnProperty: 'x' }],
    ...[JSON.parse('{"__proto__":{"owner":"x"}}') as unknown, Array.from({ length: 2_000 }, (_, at) => at)],
    'x'.repeat(100_000),
  ),
  fc.constantFrom<unknown>(...oddities),
  fc.jsonValue({ maxDepth: 2 }),
);

interface Place {
  readonly holder: object;
  readonly name: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [{ holder: value, name }, ...placesIn(member)]);
}

type Change = (place: Place, odd: unknown) => void;

const changes: readonly Change[] = [
  ({ holder, name }, odd) => void Reflect.set(holder, name, odd),
  ({ holder, name }) => void Reflect.deleteProperty(holder, name),
  ({ holder, name }) => void Reflect.set(holder, name, [Reflect.get(holder, name)]),
  ({ holder, name }) => void Reflect.set(holder, name, { [name]: Reflect.get(holder, name) }),
  ({ holder, name }, odd) => void Reflect.set(holder, `${name}2`, odd),
  ({ holder, name }) => void Reflect.set(holder, name, String(Reflect.get(holder, name))),
];

/** The value with up to two changes. */
export const changed = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.record({ at: fc.nat(), change: fc.constantFrom(...changes), odd: oddValue }), { maxLength: 2 })
    .map((chosen) => {
      const copy = structuredClone(value);
      for (const { at, change, odd } of chosen) {
        const places = placesIn(copy);
        const place = places[at % Math.max(1, places.length)];
        if (place !== undefined) change(place, structuredClone(odd));
      }
      return copy;
    });
