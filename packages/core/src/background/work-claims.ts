/**
 * Claims on parts of some work, by name: which of them this process may do now. Failed parts back off; in a shared
 * store, parts claimed by other nodes are left to them, and pauses apply to all nodes.
 */
import type { Backoff, Clock, Logger, RetryState } from '../ports/index.js';
import { KeyedBackoff } from './keyed-backoff.js';
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

export class WorkClaims extends KeyedBackoff {
  constructor(private readonly deps: WorkClaimsDeps) {
    super(deps.backoff, deps.clock);
  }

  /** Whether other nodes may hold claims, and may already have done what was just claimed. */
  get areShared(): boolean {
    return this.deps.leases !== null;
  }

  /**
   * Claims the free ones of the names; resolves with those that may be done now. `evenPostponed`: also those that
   * failed elsewhere, before they are due.
   */
  async claim(names: Iterable<string>, evenPostponed = false): Promise<ReadonlySet<string>> {
    const { leases } = this.deps;
    const free = [...new Set(names)].filter((name) => !this.isWaiting(name));
    if (leases === null || free.length === 0) return new Set(free);
    const { taken, postponed } = await leases.take(
      free.map((name) => this.#lease(name)),
      { evenPostponed },
    );
    const claimed = new Set<string>();
    for (const name of free) {
      const later = postponed.get(this.#lease(name));
      const failures = taken.get(this.#lease(name));
      if (later !== undefined) this.setState(name, later);
      if (failures === undefined) continue;
      claimed.add(name);
      if (failures > 0) this.setState(name, { failures, due: -Infinity });
      else this.succeeded(name);
    }
    return claimed;
  }

  /** Releases claims that were done or given up, and forgets their failures. */
  async release(names: Iterable<string>): Promise<void> {
    const all = [...names];
    for (const name of all) this.succeeded(name);
    const leases = all.map((name) => this.#lease(name));
    if (leases.length > 0) await this.#tryChange((claimed) => claimed.release(leases));
  }

  /** Returns a failed claim. Resolves with its new state: no node retries it before it is due. */
  async postpone(name: string, error: unknown, atLeastMs = 0): Promise<RetryState> {
    const state = this.failed(name, error, atLeastMs);
    const ms = state.due - this.deps.clock.now();
    await this.#tryChange((claimed) => claimed.postpone(this.#lease(name), state.failures, ms));
    return state;
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
