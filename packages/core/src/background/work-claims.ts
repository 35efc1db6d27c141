/**
 * Claims on parts of some work, by name: which of them this process may do now. Failed parts back off; in a shared
 * store, parts claimed by other nodes are left to them, and pauses apply to all nodes.
 */
import type { Backoff, Clock, Logger, RetryState } from '../ports/index.js';
import { KeyedBackoff } from './keyed-backoff.js';
import type { Failure } from './stuck-work.js';
import type { Leases } from './nodes/store-node.js';

export interface WorkClaimsDeps {
  /** Distinguishes the names of this work from those of other work. */
  readonly work: string;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `null` in a process that is alone. */
  readonly leases: Leases | null;
}

export class WorkClaims {
  readonly #pauses: KeyedBackoff;

  constructor(private readonly deps: WorkClaimsDeps) {
    this.#pauses = new KeyedBackoff(deps.backoff, deps.clock);
  }

  /** Whether other nodes may hold claims, and may already have done what was just claimed. */
  get areShared(): boolean {
    return this.deps.leases !== null;
  }

  /** How many failures this process knows of. */
  get size(): number {
    return this.#pauses.size;
  }

  /**
   * Claims the free ones of the names; resolves with those that may be done now. `evenPostponed`: also those that
   * failed elsewhere, before they are due.
   */
  async claim(names: Iterable<string>, evenPostponed = false): Promise<ReadonlySet<string>> {
    const { leases } = this.deps;
    const free = [...new Set(names)].filter((name) => !this.#pauses.isWaiting(name));
    if (leases === null || free.length === 0) return new Set(free);
    const { taken, postponed } = await leases.take(
      free.map((name) => this.#lease(name)),
      { evenPostponed },
    );
    const claimed = new Set<string>();
    for (const name of free) {
      const later = postponed.get(this.#lease(name));
      const failures = taken.get(this.#lease(name));
      if (later !== undefined) this.#pauses.setState(name, later);
      if (failures === undefined) continue;
      claimed.add(name);
      if (failures > 0) this.#pauses.setState(name, { failures, due: -Infinity });
      else this.#pauses.succeeded(name);
    }
    return claimed;
  }

  /** Releases claims that were done or given up, and forgets their failures. */
  async release(names: Iterable<string>): Promise<void> {
    const all = [...names];
    for (const name of all) this.#pauses.succeeded(name);
    const leases = all.map((name) => this.#lease(name));
    if (leases.length > 0) await this.#tryChange((held) => held.release(leases));
  }

  /** Returns a failed claim. Resolves with its new state: no node retries it before it is due. */
  async failed(name: string, error: unknown, atLeastMs = 0): Promise<RetryState> {
    const state = this.#pauses.failed(name, error, atLeastMs);
    const ms = state.due - this.deps.clock.now();
    await this.#tryChange((held) => held.postpone(this.#lease(name), state.failures, ms));
    return state;
  }

  /** The failures, each with its last error. */
  failures(): Failure[] {
    return this.#pauses.failures();
  }

  /** Forgets the failures of a name. */
  succeeded(name: string): void {
    this.#pauses.succeeded(name);
  }

  /** Whether its last attempt failed. */
  hasFailed(name: string): boolean {
    return this.#pauses.has(name);
  }

  isWaiting(name: string): boolean {
    return this.#pauses.isWaiting(name);
  }

  /** The names that are still backing off. */
  waiting(): string[] {
    return this.#pauses.waiting();
  }

  /** When the first pause ends, among names that are not `underWay`; `null` if there is none. */
  nextDue(underWay?: ReadonlySet<string>): number | null {
    return this.#pauses.nextDue(underWay);
  }

  /** Ends every pause. A further failure still counts as one more. */
  endPauses(): void {
    this.#pauses.endPauses();
  }

  /** Forgets every other name. */
  keepOnly(names: ReadonlySet<string>): void {
    this.#pauses.keepOnly(names);
  }

  #lease(name: string): string {
    return `${this.deps.work}/${name}`;
  }

  /** A lease that could not be released may be taken again by this node, and ends with it. */
  async #tryChange(change: (leases: Leases) => Promise<void>): Promise<void> {
    const { leases, logger, work } = this.deps;
    if (leases === null) return;
    try {
      await change(leases);
    } catch (error) {
      logger.debug('Leases could not be given back.', { work, error });
    }
  }
}
