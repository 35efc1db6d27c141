/** Booking: records effects in a policy's book, with idempotency keys, within a unit of work. */
import { BlockworkError, isBlockworkError } from '../../errors.js';
import { isoNow } from '../../ports/index.js';
import type { Clock, Ledger } from '../../ports/index.js';
import { INSTANCE, statusIs } from '../../records/index.js';
import type { JsonObject, LedgerEffect, LedgerToken, PolicyStatus } from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';

export interface BookingDeps {
  readonly policy: { readonly id: string; readonly status: PolicyStatus };
  /** Identifies the unit of work; effects are numbered within it. */
  readonly unitKey: string;
  /** The run's effects so far. If the unit rolls back, these must be rolled back too. */
  readonly effects: LedgerEffect[];
  readonly clock: Clock;
  readonly externalLedger: Ledger | null;
}

/** An effect before it is booked. */
export type EffectFacts = Omit<LedgerEffect, 'id' | 'policyId' | 'at'> & {
  /** For the external ledger only: the document that a message is about. */
  readonly document?: JsonObject;
};

/** The last work on the book of each unit: changes to a book are serialized. */
const pendingWork = new WeakMap<UnitOfWork, Promise<unknown>>();

export class LedgerBooking {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly deps: BookingDeps,
  ) {}

  /** Runs `work` after all earlier work on this unit's book, so that its reads are still valid when it writes. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = (pendingWork.get(this.unit) ?? Promise.resolve()).then(work);
    pendingWork.set(
      this.unit,
      result.catch(() => undefined),
    );
    return result;
  }

  /**
   * Books effects that belong together, and returns them. The external ledger approves all of them before anything is
   * written; a refusal is `LEDGER_REFUSED`. The caller then writes the resulting changes to the book.
   */
  async book<const Facts extends readonly EffectFacts[]>(
    ...facts: Facts
  ): Promise<{ [Place in keyof Facts]: LedgerEffect }> {
    const { policy, unitKey, effects, clock, externalLedger } = this.deps;
    const trial = statusIs(policy.status, 'trial');
    const at = isoNow(clock);
    const documents = facts.map(({ document }) => document);
    const booked = facts.map(({ document: _, ...fact }, place) => ({
      id: `${unitKey}/${String(effects.length + place)}`,
      policyId: policy.id,
      at,
      ...fact,
    }));
    for (const effect of booked) await this.#check(effect, trial);
    for (const [place, effect] of booked.entries()) {
      effects.push(effect);
      this.unit.put('ledger-effect', policy.id, effect);
      if (externalLedger === null || trial) continue;
      const document = documents[place];
      const pending = { id: effect.id, policyId: policy.id, at };
      const text = document === undefined ? {} : { document: JSON.stringify(document) };
      this.unit.put('settlement', INSTANCE, { ...pending, ...text });
    }
    return booked as unknown as { [Place in keyof Facts]: LedgerEffect };
  }

  /** Has the ledger create the token, and writes it into the book. */
  async bookToken(token: LedgerToken): Promise<void> {
    const { id: tokenId, tokenName, tokenSymbol, tokenType, decimals, source } = token;
    await this.book({ type: 'create-token', tokenId, body: { tokenName, tokenSymbol, tokenType, decimals, source } });
    this.unit.put('ledger-token', this.deps.policy.id, token);
  }

  async #check(effect: LedgerEffect, trial: boolean): Promise<void> {
    try {
      await this.deps.externalLedger?.check(structuredClone(effect), { trial });
    } catch (cause) {
      if (isBlockworkError(cause, 'LEDGER_REFUSED')) throw cause;
      const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
      throw new BlockworkError('LEDGER_REFUSED', { facts: { reason }, cause });
    }
  }
}
