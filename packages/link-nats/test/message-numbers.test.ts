import { expect, it } from 'vitest';
import { idAt, MessageNumbers, momentOf, nanosecondsOf } from '../src/message-numbers.js';

const numbersOf = (created: string): MessageNumbers => new MessageNumbers(nanosecondsOf(created));

it('an id counts nanoseconds from the creation of the stream', () => {
  const numbers = numbersOf('2026-03-14T09:26:53.589793238Z');
  expect(numbers.idOf(1)).toBe('1773480413.589793239');
  expect(numbers.idOf(3_000_000_000)).toBe('1773480416.589793238');
  expect(numbersOf('2026-03-14T09:26:53Z').idOf(7)).toBe('1773480413.000000007');
});

it('an id gives its sequence number, and tells whether it precedes the stream', () => {
  const numbers = numbersOf('2026-03-14T09:26:53.5Z');
  expect(numbers.numberOf(numbers.idOf(41))).toBe(41n);
  expect(numbers.numberOf('1773480413.5')).toBe(0n);
  expect(numbers.numberOf('1773480413.499999999')).toBe(-1n);
});

it('an id converts to a time and back', () => {
  expect(momentOf('1773480413.589793238')).toBe(1_773_480_413_589_793_238n);
  expect(idAt(1_773_480_413_000_000_007n)).toBe('1773480413.000000007');
});
