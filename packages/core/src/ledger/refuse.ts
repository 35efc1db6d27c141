/** How the ledger says no. */
import { BlockworkError } from '../errors.js';

/** Throws `LEDGER_REFUSED`. The reason names the token, the account and why, as the end of a sentence. */
export function refuse(reason: string): never {
  throw new BlockworkError('LEDGER_REFUSED', { facts: { reason } });
}
