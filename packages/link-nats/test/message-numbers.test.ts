import { expect, it } from 'vitest';
import { MessageNumbers } from '../src/message-numbers.js';

it('an id counts nanoseconds from the creation of the stream', () => {
  const numbers = new MessageNumbers('2026-03-14T09:26:53.589793238Z');
  expect(numbers.idOf(1)).toBe('1773480413.589793239');
  expect(numbers.idOf(3_000_000_000)).toBe('1773480416.589793238');
  expect(new MessageNumbers('2026-03-14T09:26:53Z').idOf(7)).toBe('1773480413.000000007');
});

it('an id tells where to resume; one from before the stream, at its start', () => {
  const numbers = new MessageNumbers('2026-03-14T09:26:53.5Z');
  expect(numbers.after(numbers.idOf(41))).toBe(42);
  expect(numbers.after('1773480413.499999999')).toBe(1);
  expect(numbers.after('1773480413.5')).toBe(1);
});
