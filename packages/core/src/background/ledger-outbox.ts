/** Settlement: effects that were committed are carried out on the ledger outside, in order for each policy, at least once. */
import type { ChangeSet, Clock, Inspector, Ledger, Logger, PolicyStore } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { LedgerEffect, PendingEffect as Waiting } from '../records/index.js';
import type { Wakeup } from './wakeup.js';

export interface LedgerOutboxDeps {
  readonly store: PolicyStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Its own: setting it replaces what was set before. */
  readonly alarm: Pick<Wakeup, 'set' | 'clear'>;
  readonly logger: Logger;
  readonly inspector: Inspector;
}

/** How a policy fares whose next effect could not be carried out. */
interface Failing {
  readonly failures: number;
  /** Not tried again before, unless somebody asks for it. */
  readonly due: number;
}

const BATCH = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

export class LedgerOutbox {
  readonly #deps: LedgerOutboxDeps;
  readonly #failing = new Map<string, Failing>();
  #running: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #closed = false;

  constructor(tools: LedgerOutboxDeps) {
    this.#deps = tools;
  }

  /** To be told of every commit: begins when there is something new to carry out. */
  notice(changeSet: ChangeSet): void {
    if (changeSet.changes.some(({ kind, op }) => kind === 'settlement' && op === 'put')) this.start();
  }

  /** Carries out what waits, save for policies whose pause has not passed. Every policy's effects stay in order. */
  start(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#running = this.#running.then(() => {
      this.#isWaiting = false;
      return this.#round();
    });
  }

  /** Tries everything that waits at once, whatever failed before, and resolves when it has been tried. */
  retry(): Promise<void> {
    this.#running = this.#running.then(() => {
      for (const [policyId, { failures }] of this.#failing) this.#failing.set(policyId, { failures, due: -Infinity });
      return this.#round();
    });
    return this.#running;
  }

  /** Resolves when nothing is being carried out. */
  idle(): Promise<void> {
    return this.#running;
  }

  /** Begins nothing more; resolves when the effect under way has ended. What waits is carried out after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#deps.alarm.clear();
    await this.#running;
  }

  async #round(): Promise<void> {
    if (this.#closed) return;
    const now = this.#deps.clock.now();
    const passedOver = new Set([...this.#failing].filter(([, { due }]) => due > now).map(([policyId]) => policyId));
    try {
      while (await this.#batch(passedOver));
      this.#setAlarm();
    } catch (error) {
      this.#deps.logger.error('The store failed while effects were settled; it is tried again.', { error });
      this.#wakeAt(now + FIRST_PAUSE_MS);
    }
  }

  /** Whether there may be more. */
  async #batch(passedOver: Set<string>): Promise<boolean> {
    const where = { path: 'policyId', op: 'nin', value: [...passedOver] } as const;
    const batch = await this.#deps.store.find('settlement', INSTANCE, { where, limit: BATCH });
    for (const waiting of batch) {
      if (this.#closed) return false;
      if (passedOver.has(waiting.policyId)) continue;
      if (!(await this.#settle(waiting))) passedOver.add(waiting.policyId);
    }
    return batch.length === BATCH;
  }

  /** Taken out only after the ledger has it: a crash in between hands it over twice, under one idempotency key. */
  async #settle(waiting: Waiting): Promise<boolean> {
    const { id, policyId } = waiting;
    try {
      await this.#deps.ledger.settle(await this.#effect(waiting));
    } catch (error) {
      this.#failed(waiting, error);
      return false;
    }
    await this.#deps.store.commit({
      expect: {},
      changes: [{ op: 'delete', kind: 'settlement', partition: INSTANCE, id }],
    });
    this.#failing.delete(policyId);
    this.#deps.inspector({ type: 'ledger.settled', policyId, effectId: id });
    return true;
  }

  async #effect({ id, policyId }: Waiting): Promise<LedgerEffect> {
    const { store } = this.#deps;
    const effect = await store.get('ledger-effect', policyId, id);
    if (effect === undefined) throw new Error(`The book of policy "${policyId}" has no effect "${id}".`);
    if (effect.messageId === undefined) return effect;
    const message = await store.get('ledger-message', policyId, effect.messageId);
    if (message === undefined)
      throw new Error(`The book of policy "${policyId}" has no message "${effect.messageId}".`);
    return { ...effect, body: { ...message } };
  }

  #failed({ id, policyId }: Waiting, error: unknown): void {
    const failures = (this.#failing.get(policyId)?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.#failing.set(policyId, { failures, due: this.#deps.clock.now() + pause });
    const reason = error instanceof Error ? error.message : String(error);
    this.#deps.logger.warn('The ledger did not carry out an effect; it stays waiting.', {
      error,
      policyId,
      id,
      failures,
    });
    this.#deps.inspector({ type: 'ledger.unsettled', policyId, effectId: id, reason });
  }

  #setAlarm(): void {
    const due = Math.min(...[...this.#failing.values()].map((failing) => failing.due));
    if (due === Infinity) this.#deps.alarm.clear();
    else this.#wakeAt(due);
  }

  #wakeAt(due: number): void {
    if (!this.#closed)
      this.#deps.alarm.set(due, () => {
        this.start();
      });
  }
}
