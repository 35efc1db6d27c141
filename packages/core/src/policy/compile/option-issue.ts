/** Describes an invalid option: what is written, what was expected, and what may have been meant. */
import type { z } from 'zod';
import { didYouMean } from '../../options/index.js';
import { quote } from '../model/quote.js';

/** For a union, what each of its alternatives expects; for checks of the schema's author, the issue's own message. */
export function messageOf(issue: z.core.$ZodIssue, written: unknown): string {
  const value = valueAt(written, issue.path);
  const is = value === undefined ? 'is missing' : `is ${quote(value)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `${is}, expected ${nounOf(issue.expected)}`;
    case 'invalid_value': {
      const words = issue.values.filter((each) => each !== '');
      const hint = typeof value === 'string' ? didYouMean(value, words.map(String)) : '';
      return `${is}, expected ${listed(words)}${hint}`;
    }
    case 'invalid_union': {
      const expected = new Set(issue.errors.flat().map(expectationOf));
      return expected.size === 0 ? issue.message : `${is}, expected ${[...expected].join(' or ')}`;
    }
    default:
      return issue.message;
  }
}

function valueAt(written: unknown, path: readonly PropertyKey[]): unknown {
  let value = written;
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}

function expectationOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  switch (issue.code) {
    case 'invalid_type':
      return nounOf(issue.expected) + where;
    case 'invalid_value':
      return listed(issue.values.filter((each) => each !== '')) + where;
    default:
      return issue.message + where;
  }
}

const listed = (values: readonly unknown[]): string =>
  `${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}`;

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'nothing',
};

const nounOf = (type: string): string => nouns[type] ?? type;
