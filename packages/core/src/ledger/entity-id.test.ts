import { expect, test } from 'vitest';
import { entityId, entityNumber } from './entity-id.js';

const uuid = (end: string) => ({ uuid: () => `99999999-9999-4999-8999-${end}` });

test('an entity gets the last 48 bits of a UUID as its number, above the reserved ones', () => {
  expect(entityNumber(uuid('000000000000'))).toBe(1000);
  expect(entityNumber(uuid('0000000000ff'))).toBe(1255);
  expect(entityNumber(uuid('ffffffffffff'))).toBe(2 ** 48 - 1 + 1000);
  expect(entityId(uuid('0000000000ff'))).toBe('0.0.1255');
});
