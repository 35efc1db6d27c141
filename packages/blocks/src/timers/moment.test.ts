import { expect, it } from 'vitest';
import { momentOf } from './recurrence.js';

it.each([
  ['2026-10-31', '2026-10-31T00:00:00.000Z'],
  ['2026-10-31T08:00', '2026-10-31T08:00:00.000Z'],
  ['2026-10-31T08:00:30.5', '2026-10-31T08:00:30.500Z'],
  ['2026-10-31 08:00:00', '2026-10-31T08:00:00.000Z'],
  ['2026-10-31T08:00:00Z', '2026-10-31T08:00:00.000Z'],
  ['2026-10-31T08:00:00+02:00', '2026-10-31T06:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is %s on every machine', (text, moment) => {
  expect(new Date(momentOf(text) ?? NaN).toISOString()).toBe(moment);
});

it.each(['', '03/04/2026', '31 Oct 2026', 'monday', '2026-02-30', '2026-13-01', '2026-10-31T25:00', '1767225600000'])(
  '%j is no date',
  (text) => {
    expect(momentOf(text)).toBeUndefined();
  },
);
