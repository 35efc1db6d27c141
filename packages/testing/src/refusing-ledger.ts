/** An external ledger that refuses the effects selected by a test and accepts all others. */
import { BlockworkError, type LedgerEffect } from '@blockwork/core';
import type { Ledger } from '@blockwork/core/adapter';

export class RefusingLedger implements Ledger {
  readonly #refused: LedgerEffect['type'][] = [];
  readonly #settled = new Map<string, LedgerEffect>();

  /** Settled effects in order, each once. */
  get settled(): readonly LedgerEffect[] {
    return [...this.#settled.values()];
  }

  /** Refuses the next effect of this type with `LEDGER_REFUSED`; each call refuses one more. */
  refuseNext(type: LedgerEffect['type']): void {
    this.#refused.push(type);
  }

  check({ type }: LedgerEffect): Promise<void> {
    const at = this.#refused.indexOf(type);
    if (at < 0) return Promise.resolve();
    this.#refused.splice(at, 1);
    return Promise.reject(
      new BlockworkError('LEDGER_REFUSED', { facts: { reason: `the test refuses the next "${type}"` } }),
    );
  }

  settle(effect: LedgerEffect): Promise<void> {
    if (!this.#settled.has(effect.id)) this.#settled.set(effect.id, structuredClone(effect));
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
