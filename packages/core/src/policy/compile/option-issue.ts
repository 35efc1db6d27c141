/** Describes an invalid option: what is written, what was expected, and what may have been meant. */
import type { z } from 'zod';
import { hintAt, meantBy } from '../../options/index.js';
import { choicesAt } from '../model/block-finding.js';
import { pointerOf } from '../model/pointer.js';
import type { Suggestion } from '../model/policy-model.js';
import { quote } from '../model/quote.js';

/** For a union, what each of its alternatives expects; for checks of the schema's author, the issue's own message. */
export function messageOf(issue: z.core.$ZodIssue, written: unknown): string {
  const value = valueIn(written, issue.path);
  const is = value === undefined ? 'is missing' : `is ${quote(value)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `${is}, expected ${nounOf(issue.expected)}`;
    case 'invalid_value': {
      const words = issue.values.filter((each) => each !== '');
      return `${is}, expected ${listed(words)}${hintAt(meantOf(value, words))}`;
    }
    case 'invalid_union': {
      const expected = new Set(issue.errors.flat().map(expectationOf));
      return expected.size === 0 ? issue.message : `${is}, expected ${[...expected].join(' or ')}`;
    }
    default:
      return issue.message;
  }
}

/** What may be written in its place; `at` is relative to the block. */
export function suggestionsFor(issue: z.core.$ZodIssue, written: unknown): readonly Suggestion[] {
  const issues = issue.code === 'invalid_union' ? issue.errors.flat().filter(({ path }) => path.length === 0) : [issue];
  const words = issues.flatMap((each) => (each.code === 'invalid_value' ? each.values : [])).filter(isWord);
  return choicesAt(pointerOf(issue.path), [...new Set(words)], meantOf(valueIn(written, issue.path), words));
}

const isWord = (value: unknown): value is string | number | boolean =>
  value !== '' && ['string', 'number', 'boolean'].includes(typeof value);

const meantOf = (value: unknown, words: readonly unknown[]): string | undefined =>
  typeof value === 'string' ? meantBy(value, words.map(String)) : undefined;

function valueIn(written: unknown, path: readonly PropertyKey[]): unknown {
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
