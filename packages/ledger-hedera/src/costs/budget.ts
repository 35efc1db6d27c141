/** What may be spent: an amount for each day, and a balance of the operator's account below which nothing is begun. */
import type { Change, Clock, LedgerPause, PolicyStore } from '@blockwork/core/adapter';
import { NotYet } from '../transactions/not-yet.js';
import { INSTANCE_PARTITION } from '../transactions/partition.js';
import { textIn } from '../transactions/record-text.js';
import { dayOf, totalCosts } from './costs.js';
import { hbarText } from './hbar.js';

export interface BudgetDeps {
  readonly store: Pick<PolicyStore, 'get' | 'find'>;
  readonly clock: Clock;
  readonly operator: string;
  /** Tinybars for a day of UTC; `null` for unlimited. */
  readonly daily: bigint | null;
  /** Tinybars that stay in the account; `null` to spend all. */
  readonly floor: bigint | null;
  /** The balance of the operator's account, in tinybars. */
  readonly balance: () => Promise<bigint>;
}

/** What a transaction may cost: `most`, of which `reserved` are counted already if it was signed on `day` before. */
export interface Need {
  readonly what: string;
  readonly most: bigint;
  readonly day: string | undefined;
  readonly reserved: bigint;
}

const BALANCE_MS = 10_000;
const allowanceId = (day: string): string => `allowance/${day}`;

export class Budget {
  #turn: Promise<unknown> = Promise.resolve();
  #balance = { at: -Infinity, tinybars: 0n };
  /** The most of a transaction that did not fit; zero when the last one did. */
  #lacking = 0n;

  constructor(private readonly deps: BudgetDeps) {}

  /**
   * Signs if the transaction fits; `sign` stores what it may cost. One at a time, so that two do not both take the last of the
   * day. Of several processes, each may exceed it by one transaction. Rejects with `NotYet` if it does not fit.
   */
  within<T>(need: Need, sign: () => Promise<T>): Promise<T> {
    if (this.deps.daily === null && this.deps.floor === null) return sign();
    const signed = this.#turn.then(async () => {
      const pause = await this.#pauseFor(need);
      this.#lacking = pause === null ? 0n : need.most;
      if (pause !== null) throw new NotYet(`${pause.reason} ${pause.remedy}`);
      return sign();
    });
    this.#turn = signed.catch(() => undefined);
    return signed;
  }

  /** Why nothing new is signed now; `null` if something is. */
  pause(): Promise<LedgerPause | null> {
    return this.#pauseFor({ what: 'the next transaction', most: this.#lacking, day: undefined, reserved: 0n });
  }

  /** What may be spent today, with what was allowed beyond the daily budget; `null` for unlimited. */
  async today(): Promise<bigint | null> {
    const { daily, store, clock } = this.deps;
    if (daily === null) return null;
    const allowance = await store.get('ledger-row', INSTANCE_PARTITION, allowanceId(dayOf(clock.now())));
    return daily + BigInt(textIn(allowance?.content, 'tinybars', '0'));
  }

  /** The change that adds to what may be spent today. */
  async allowing(tinybars: bigint): Promise<Change> {
    const { store, clock } = this.deps;
    const id = allowanceId(dayOf(clock.now()));
    const before = await store.get('ledger-row', INSTANCE_PARTITION, id);
    const sum = BigInt(textIn(before?.content, 'tinybars', '0')) + tinybars;
    const value = { id, effectId: '', state: 'allowance', content: { tinybars: String(sum) } };
    return { op: 'put', kind: 'ledger-row', partition: INSTANCE_PARTITION, value };
  }

  async #pauseFor({ what, most, day, reserved }: Need): Promise<LedgerPause | null> {
    const { store, clock, floor, operator } = this.deps;
    const today = dayOf(clock.now());
    const limit = await this.today();
    if (limit !== null) {
      const costs = await totalCosts(store, today);
      const counted = costs.spent + costs.reserved - (day === today ? reserved : 0n);
      if (counted + most > limit || counted >= limit)
        return {
          reason: `The budget of ${hbarText(limit)} HBAR for ${today} does not suffice for ${what}, which may cost ${hbarText(most)}: ${hbarText(costs.spent)} are spent and ${hbarText(costs.reserved)} reserved for transactions under way.`,
          remedy:
            'It goes on after midnight UTC. To go on today, allow more with "blockwork ledger resume --allow", or raise the daily budget.',
        };
    }
    if (floor === null) return null;
    const balance = await this.#balanceNow();
    if (balance - most >= floor) return null;
    return {
      reason: `The account ${operator} has ${hbarText(balance)} HBAR, and must keep ${hbarText(floor)} after ${what}, which may cost ${hbarText(most)}.`,
      remedy: 'It goes on when the account is filled. Nothing is lost meanwhile.',
    };
  }

  async #balanceNow(): Promise<bigint> {
    const { clock, balance } = this.deps;
    const age = clock.now() - this.#balance.at;
    if (age < 0 || age >= BALANCE_MS) this.#balance = { at: clock.now(), tinybars: await balance() };
    return this.#balance.tinybars;
  }
}
