/** Ledger accounts derived from DIDs. */
import { hash } from 'node:crypto';
import type { Accounts } from '../ports/index.js';

/** Ledgers reserve smaller numbers. */
const FIRST = 1000n;
const LAST = BigInt(Number.MAX_SAFE_INTEGER);

/** Deterministic on every machine. Two DIDs collide with the probability of two equal 53-bit hashes. */
export class DerivedAccounts implements Accounts {
  accountOf(did: string): Promise<string | null> {
    if (did === '') return Promise.resolve(null);
    const digest = hash('sha256', `blockwork account\0${did}`, 'buffer');
    const number = FIRST + (digest.readBigUInt64BE() % (LAST - FIRST + 1n));
    return Promise.resolve(`0.0.${String(number)}`);
  }
}
