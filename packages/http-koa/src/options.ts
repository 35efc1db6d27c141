/** Checks options at construction, so that a mistake shows before the first request. */
import { BlockworkError } from '@blockwork/core';
import { toDetails } from '@blockwork/core/block';
import { z } from 'zod';

export const invalidOption = (option: string, reason: string, cause?: unknown): BlockworkError =>
  new BlockworkError('OPTION_INVALID', { facts: { option, reason }, cause });

/** A schema for each option. */
export type OptionShape<Options> = { readonly [Name in keyof Options]-?: z.ZodType };

/**
 * Throws `OPTION_INVALID` for an unknown name, `null`, or a value of the wrong type. `parent` is the option that these
 * options are the value of. Messages of the schemas continue "it ...".
 */
export function checkOptions<Options extends object>(
  options: Options,
  shape: OptionShape<Options>,
  parent?: string,
): void {
  const parsed = z.strictObject(shape).partial().safeParse(options);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const hint = issue.path.length === 0 ? didYouMean(name, Object.keys(shape)) : '';
    throw invalidOption(nameOf([...issue.path, name], parent), `there is no such option${hint}`);
  }
  const [detail] = toDetails(parsed.error);
  throw invalidOption(nameOf(issue?.path ?? [], parent), `it ${detail?.message ?? 'is invalid'}`);
}

/** For loggers, clocks and other objects that are used through these methods. */
export const withMethods = (...methods: readonly string[]): z.ZodType =>
  z.custom(
    (value) => value != null && methods.every((name) => isFunction((value as Record<string, unknown>)[name])),
    `must have the methods ${methods.join(', ')}`,
  );

export const isFunction = (value: unknown): boolean => typeof value === 'function';

/** `auth.keys[0].kid`; `options` for the whole. */
function nameOf(path: readonly PropertyKey[], parent?: string): string {
  const segments = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return parent === undefined ? segments.slice(1) || 'options' : parent + segments;
}

function didYouMean(given: string, known: readonly string[]): string {
  const edits = known.map((name) => ({ name, count: editsBetween(given.toLowerCase(), name.toLowerCase()) }));
  const [closest] = edits.sort((a, b) => a.count - b.count);
  return closest !== undefined && closest.count <= Math.max(1, given.length / 3)
    ? `; did you mean "${closest.name}"?`
    : '';
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let at = 0; at < a.length; at += 1) {
    const above = row;
    row = [at + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[at] === b[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
