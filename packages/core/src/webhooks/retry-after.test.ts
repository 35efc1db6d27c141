import { expect, it } from 'vitest';
import { retryAfterMs } from './webhook-delivery.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const hour = 3_600_000;

it.each<[string | null | undefined, number]>([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
])('%j is a wait that is kept', (header, ms) => {
  expect(retryAfterMs(header, now, hour)).toBe(ms);
});

it.each(['3601', '9999999999', 'Mon, 02 Mar 2026 12:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  '%j is a wait at the limit',
  (header) => {
    expect(retryAfterMs(header, now, hour)).toBe(hour);
  },
);

it.each([
  null,
  undefined,
  '',
  '-5',
  '1.5',
  '1e9',
  '99999999999',
  'soon',
  '2026-03-01T13:00:00Z',
  'Sun, 99 Foo 2026 12:00:30 GMT',
])('%j is no wait', (header) => {
  expect(retryAfterMs(header, now, hour)).toBe(0);
});
