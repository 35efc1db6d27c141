/** Functions of texts. */
import { FormulaError } from '../formula-error.js';
import { describe, isNumber, toInteger, type Value, type Work } from '../values/index.js';

export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (isNumber(value) || typeof value === 'boolean') return String(value);
  throw new FormulaError(`${describe(value)} cannot be made a text`);
}

/** A number of characters, or a place counted from 1. */
function countOf(value: Value, least: number): number {
  const count = toInteger(value);
  if (count < least) throw new FormulaError(`${describe(value)} is less than ${String(least)}`);
  return count;
}

export function joined(parts: readonly Value[], work: Work, between = ''): string {
  const texts = parts.map(textOf);
  work.textOf(texts.reduce((sum, { length }) => sum + length, between.length * Math.max(0, texts.length - 1)));
  return texts.join(between);
}

export function repeated(value: Value, times: Value, work: Work): string {
  const [text, count] = [textOf(value), countOf(times, 0)];
  work.textOf(text.length * count);
  return text.repeat(count);
}

export function replaced(value: Value, old: Value, by: Value, work: Work): string {
  const [text, sought, instead] = [textOf(value), textOf(old), textOf(by)];
  if (sought === '') return text;
  work.textOf(text.length);
  const parts = text.split(sought);
  work.textOf(text.length + (parts.length - 1) * (instead.length - sought.length));
  return parts.join(instead);
}

/** `first` counts from 1. */
export const part = (value: Value, first: Value, length: Value): string => {
  const from = countOf(first, 1) - 1;
  return textOf(value).slice(from, from + countOf(length, 0));
};

export const start = (value: Value, length: Value): string => textOf(value).slice(0, countOf(length, 0));

export const end = (value: Value, length: Value): string => {
  const text = textOf(value);
  return text.slice(Math.max(0, text.length - countOf(length, 0)));
};

/** Where a text is in another, counted from 1. */
export function placeOf(sought: string, within: string, from: Value, work: Work): number {
  work.textOf(within.length);
  const index = within.indexOf(sought, countOf(from, 1) - 1);
  if (index < 0) throw new FormulaError(`${describe(sought)} is not in ${describe(within)}`);
  return index + 1;
}
