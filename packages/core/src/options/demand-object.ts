/** Argument checks for JavaScript callers that pass something other than the required object, text or number. */
import { BlockworkError } from '../errors.js';
import { isObject } from '../records/index.js';

/**
 * Throws `INPUT_INVALID` unless the argument is an object. `method` and `argument` name it in the message, such as
 * `requests.ask` and `request`; `members` describes the expected members.
 */
export function demandObject(value: unknown, method: string, argument: string, members?: string): void {
  if (isObject(value)) return;
  const expected = members === undefined ? 'an object' : `an object with ${members}`;
  const reason = `The argument ${argument} of ${method} must be ${expected}, not ${kindOf(value)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** Throws `INPUT_INVALID` unless the argument is a text. Names are as for `demandObject`. */
export function demandText(value: unknown, method: string, argument: string): void {
  if (typeof value === 'string') return;
  const reason = `The argument ${argument} of ${method} must be a string, not ${kindOf(value)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** Throws `INPUT_INVALID` unless the argument is a whole number from 0. Names are as for `demandObject`. */
export function demandCount(value: unknown, method: string, argument: string): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return;
  const shown = typeof value === 'number' ? String(value) : kindOf(value);
  const reason = `The argument ${argument} of ${method} must be a whole number, 0 or more, not ${shown}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/** `demandObject` for optional arguments. */
export function demandOptions(value: unknown, method: string, argument: string): void {
  if (value !== undefined) demandObject(value, method, argument);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
