/** An in-process substitute for an external ledger: settles each effect once and keeps balances. */
import type { Ledger, LedgerOperation, LedgerStatus } from '../ports/index.js';
import type { LedgerEffect } from '../records/index.js';

/** When a call fails: before the effect, or after it, so that only the answer is lost. */
export type FailureMoment = 'before' | 'after';

const freeOfCharge: LedgerStatus = {
  network: 'memory',
  account: 'memory',
  currency: '',
  balance: null,
  readableUpTo: null,
  pause: null,
  costs: { today: '0', reserved: '0', budget: null, total: '0' },
};

/**
 * Its balances come from settled effects alone, so that tests can compare them with the book. It refuses nothing unless told to
 * with `refuseNext`. It can be shared by consecutive engines: `close` keeps all data.
 */
export class MemoryLedger implements Ledger {
  /** Costs nothing, never pauses, and compares nothing: `supply` and `balance` are for that. */
  readonly operation: LedgerOperation = {
    status: () => Promise.resolve(freeOfCharge),
    compare: (policyId) =>
      Promise.resolve({
        policyId,
        at: new Date(0).toISOString(),
        compared: { tokens: 0, balances: 0, serials: 0, topics: 0, messages: 0 },
        differences: [],
        notes: [],
      }),
    resume: () => Promise.resolve(),
  };
  readonly #settled = new Map<string, LedgerEffect>();
  readonly #balances = new Map<string, Map<string, bigint>>();
  readonly #failures: FailureMoment[] = [];
  readonly #refusals: { type: LedgerEffect['type']; reason: string }[] = [];

  /** Settled effects in order, each once. */
  get settled(): readonly LedgerEffect[] {
    return [...this.#settled.values()];
  }

  /** Balance of an account, in units. */
  balance(tokenId: string, accountId: string): bigint {
    return this.#balances.get(tokenId)?.get(accountId) ?? 0n;
  }

  /** Total supply of a token, in units. */
  supply(tokenId: string): bigint {
    return [...(this.#balances.get(tokenId)?.values() ?? [])].reduce((sum, units) => sum + units, 0n);
  }

  /** Makes the next `times` settlements fail. */
  failNext(moment: FailureMoment = 'before', times = 1): void {
    for (let n = 0; n < times; n += 1) this.#failures.push(moment);
  }

  /** Makes the next check of an effect of this type fail. */
  refuseNext(type: LedgerEffect['type'], reason = 'the ledger was set to refuse it'): void {
    this.#refusals.push({ type, reason });
  }

  check({ type }: LedgerEffect): Promise<void> {
    const at = this.#refusals.findIndex((refusal) => refusal.type === type);
    const [refusal] = at < 0 ? [] : this.#refusals.splice(at, 1);
    return refusal === undefined ? Promise.resolve() : Promise.reject(new Error(refusal.reason));
  }

  async settle(effect: LedgerEffect): Promise<void> {
    const failure = this.#failures.shift();
    if (failure === 'before') throw new Error('The ledger cannot be reached.');
    if (!this.#settled.has(effect.id)) this.#apply(structuredClone(effect));
    if (failure === 'after') throw new Error('The answer of the ledger was lost.');
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #apply(effect: LedgerEffect): void {
    this.#settled.set(effect.id, effect);
    const { type, tokenId = '', accountId = '', fromAccountId = '' } = effect;
    const units = BigInt(effect.units ?? '0');
    if (type === 'mint') this.#move(tokenId, accountId, units);
    if (type === 'wipe') this.#move(tokenId, accountId, -units);
    if (type !== 'transfer') return;
    this.#move(tokenId, fromAccountId, -units);
    this.#move(tokenId, accountId, units);
  }

  #move(tokenId: string, accountId: string, units: bigint): void {
    const accounts = this.#balances.get(tokenId) ?? new Map<string, bigint>();
    this.#balances.set(tokenId, accounts.set(accountId, (accounts.get(accountId) ?? 0n) + units));
  }
}
