import { expect, it } from 'vitest';
import { contract } from '@blockwork/contract';
import { readQuery } from '../src/request/read-query.js';

const open = (text: string): unknown => readQuery(contract.readBlock.query, text);

it('the last value of a repeated key wins', () => {
  expect({ ...(open('page=1&page=2&sortField=a') as object) }).toEqual({ page: '2', sortField: 'a' });
});

it('names of prototype members are ordinary keys', () => {
  const query = open('__proto__=x&constructor=y&hasOwnProperty=z') as object;
  expect(Object.keys(query)).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
  expect('toString' in query).toBe(false);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

it('all empty queries are one frozen object', () => {
  expect(open('')).toBe(open(''));
  expect(Object.isFrozen(open(''))).toBe(true);
});

it('an invalid escape is kept as it is', () => {
  expect({ ...(open('a=%zz&b=%C3%BC+x') as object) }).toEqual({ a: '%zz', b: 'ü x' });
});

it('a list query has bounds, ignores other keys, and reports every invalid key', () => {
  const listed = (text: string): unknown => readQuery(contract.listPolicies.query, text);
  expect(listed('pageIndex=2&pageSize=50&status=All')).toEqual({ pageIndex: 2, pageSize: 50 });
  expect(() => listed('pageIndex=-1&pageSize=1001')).toThrow(
    expect.objectContaining({
      code: 'QUERY_INVALID',
      details: [
        { path: '/pageIndex', message: 'must be a whole number, 0 or more' },
        { path: '/pageSize', message: 'must be from 1 to 1000' },
      ],
    }),
  );
});
