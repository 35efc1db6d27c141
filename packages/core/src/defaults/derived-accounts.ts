/** Derived accounts: a ledger account for every identity, worked out from its DID. */
import { createHash } from 'node:crypto';
import type { Accounts } from '../ports/index.js';

/** Smaller numbers are a ledger's own accounts. */
const FIRST = 1000n;
const LAST = BigInt(Number.MAX_SAFE_INTEGER);

/** The same DID has the same account on every machine. Two of them share one with the odds of two equal hashes of 53 bits. */
export class DerivedAccounts implements Accounts {
  accountOf(did: string): Promise<string | null> {
    if (did === '') return Promise.resolve(null);
    const hash = createHash('sha256').update('blockwork account\0').update(did).digest();
    const number = FIRST + (hash.readBigUInt64BE() % (LAST - FIRST + 1n));
    return Promise.resolve(`0.0.${String(number)}`);
  }
}
