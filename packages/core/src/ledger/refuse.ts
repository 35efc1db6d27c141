/** Throws `LEDGER_REFUSED`. */
import { BlockworkError } from '../errors.js';

/** @param reason completes a sentence and names the token and the account. */
export function refuse(reason: string): never {
  throw new BlockworkError('LEDGER_REFUSED', { facts: { reason } });
}
