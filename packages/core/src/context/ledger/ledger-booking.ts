/** Booking: how effects get into the book of a policy, with their keys, within a unit of work. */
import { BlockworkError, isBlockworkError } from '../../errors.js';
import { isoNow } from '../../ports/index.js';
import type { Clock, Ledger } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';
import type { LedgerEffect, PolicyStatus } from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';

export interface BookingDeps {
  readonly policy: { readonly id: string; readonly status: PolicyStatus };
  /** Names the unit of work; effects are numbered within it. */
  readonly unitKey: string;
  /** The run's effects so far. What the unit takes back must be taken back here as well. */
  readonly effects: LedgerEffect[];
  readonly clock: Clock;
  readonly externalLedger: Ledger | null;
}

/** What an effect says, before it is booked. */
export type EffectFacts = Omit<LedgerEffect, 'id' | 'policyId' | 'at'>;

/** Statuses in which nothing is settled outside: what happens in them is thrown away or for show. */
const onTrial: ReadonlySet<PolicyStatus> = new Set(['DRAFT', 'DRY-RUN', 'DEMO']);

/** Changes to the book of a unit run one after another. */
const turns = new WeakMap<UnitOfWork, Promise<unknown>>();

export class LedgerBooking {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly deps: BookingDeps,
  ) {}

  /** Runs `work` after all earlier work on the book of this unit: what it has read is still so when it writes. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = (turns.get(this.unit) ?? Promise.resolve()).then(work);
    turns.set(
      this.unit,
      mine.catch(() => undefined),
    );
    return mine;
  }

  /**
   * Books effects that belong together, and returns them. The ledger outside is asked about all of them before anything is
   * written; a refusal is `LEDGER_REFUSED`. What they change in the book, the caller writes after this.
   */
  async book<const Facts extends readonly EffectFacts[]>(
    ...facts: Facts
  ): Promise<{ [Place in keyof Facts]: LedgerEffect }> {
    const { policy, unitKey, effects, clock, externalLedger } = this.deps;
    const trial = onTrial.has(policy.status);
    const at = isoNow(clock);
    const booked = facts.map((fact, place) => ({
      id: `${unitKey}/${String(effects.length + place)}`,
      policyId: policy.id,
      at,
      ...fact,
    }));
    for (const effect of booked) await this.#check(effect, trial);
    for (const effect of booked) {
      effects.push(effect);
      this.unit.put('ledger-effect', policy.id, effect);
      if (externalLedger !== null && !trial)
        this.unit.put('settlement', INSTANCE, { id: effect.id, policyId: policy.id, at });
    }
    return booked as unknown as { [Place in keyof Facts]: LedgerEffect };
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
