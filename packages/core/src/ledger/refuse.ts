/** Throws `LEDGER_REFUSED`. */
import { BlockworkError } from '../errors.js';

/** The reason names the token, the account and why, as the end of a sentence. */
export function refuse(reason: string): never {
  throw new BlockworkError('LEDGER_REFUSED', { facts: { reason } });
}
