/** What programs in JavaScript give in place of an object that a function needs. */
import { BlockworkError } from '../errors.js';
import { isObject } from '../records/index.js';

/**
 * Throws `INPUT_INVALID` unless it is an object. `method` and `argument` tell where it was given, such as `requests.ask` and
 * `request`, and `members` what is expected in it.
 */
export function demandObject(given: unknown, method: string, argument: string, members?: string): void {
  if (isObject(given)) return;
  const expected = members === undefined ? 'an object' : `an object with ${members}`;
  const reason = `The argument ${argument} of ${method} must be ${expected}, not ${kindOf(given)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** `demandObject` for what may be left out. */
export function demandOptions(given: unknown, method: string, argument: string): void {
  if (given !== undefined) demandObject(given, method, argument);
}

function kindOf(given: unknown): string {
  if (given === null) return 'null';
  return Array.isArray(given) ? 'array' : typeof given;
}
