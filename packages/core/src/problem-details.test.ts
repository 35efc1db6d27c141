import { expect, it } from 'vitest';
import { z } from 'zod';
import { toDetails } from './problem-details.js';

const schema = z.strictObject({
  name: z.string(),
  status: z.enum(['DRAFT', 'PUBLISH']),
  'a/b~c': z.array(z.number()).optional(),
  own: z.number({ error: 'must be our number' }),
});
const detailsOf = (value: unknown) => toDetails(schema.safeParse(value).error ?? new z.ZodError([]));

it('every failure has its place as a JSON pointer and says what is wrong there', () => {
  expect(detailsOf({ status: 'OPEN', 'a/b~c': [1, 'two'], own: 'x', more: 1, 'and/more': 2 })).toEqual([
    { path: '/name', message: 'is missing' },
    { path: '/status', message: 'must be DRAFT or PUBLISH' },
    { path: '/a~1b~0c/1', message: 'must be of type number, not string' },
    { path: '/own', message: 'must be our number' },
    { path: '/more', message: 'is not known here' },
    { path: '/and~1more', message: 'is not known here' },
  ]);
});

it('what is no object at all has the empty pointer', () => {
  expect(detailsOf('text')).toEqual([{ path: '', message: 'must be of type object, not string' }]);
});
