/** What programs in JavaScript give in place of an object that a method needs. */
import { BlockworkError } from '../errors.js';
import { isObject } from '../records/index.js';

/** Throws `INPUT_INVALID` unless it is an object; `what` and `members` tell what is expected. */
export function demandObject(given: unknown, what: string, members: string): void {
  if (isObject(given)) return;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason: `${what} is an object with ${members}.` } });
}
