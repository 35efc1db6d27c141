import { expect, it } from 'vitest';
import { perDay } from '../app/studio/overview/per-day.js';

const at = (day: number, hour: number): string => new Date(2026, 2, day, hour).toISOString();

it('what happened is added up by day of the reader, to the present day, and older is left out', () => {
  const happenings = [
    { at: at(1, 12), amount: 5 },
    { at: at(2, 0), amount: 1.5 },
    { at: at(2, 23), amount: 2 },
    { at: at(4, 9), amount: 3 },
    { at: 'never', amount: 9 },
  ];
  const days = perDay(happenings, 3, new Date(2026, 2, 4, 10));
  expect(days.map(({ total }) => total)).toEqual([3.5, 0, 3]);
  expect(days.map(({ begins }) => begins.getDate())).toEqual([2, 3, 4]);
});

it('days of 23 and 25 hours are days, across months as well', () => {
  const days = perDay([], 40, new Date(2026, 3, 5));
  expect(new Set(days.map(({ begins }) => `${String(begins.getMonth())}-${String(begins.getDate())}`)).size).toBe(40);
  expect(days.every(({ begins }) => begins.getHours() === 0)).toBe(true);
});
