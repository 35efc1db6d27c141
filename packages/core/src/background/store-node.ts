/** This process as a node of a shared store: registered while it runs, with the leases that it takes. */
import type { Clock, Coordination, LeaseAnswer, Logger, NodeFacts, Timers } from '../ports/index.js';
import { Worker, type BackgroundService } from './worker.js';

export interface StoreNodeDeps {
  readonly coordination: Coordination;
  readonly facts: NodeFacts;
  /** Milliseconds after which a node that no longer renews is dead. */
  readonly leaseMs: number;
  readonly clock: Clock & { synchronize(ask: () => Promise<number>): Promise<void> };
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Leases of one node. Methods reject with `STORE_UNAVAILABLE`. */
export interface Leases {
  take(names: readonly string[], options?: { readonly evenPostponed?: boolean }): Promise<LeaseAnswer>;
  release(names: readonly string[]): Promise<void>;
  postpone(name: string, failures: number, ms: number): Promise<void>;
}

export class StoreNode implements BackgroundService, Leases {
  readonly #worker: Worker;
  #joining: Promise<void> | null = null;

  constructor(private readonly deps: StoreNodeDeps) {
    const { leaseMs, clock } = deps;
    const renewal = {
      name: 'registration of this node',
      backoff: { firstMs: 200, longestMs: leaseMs / 3 },
      run: async () => {
        await this.#renew();
        return clock.now() + leaseMs / 3;
      },
    };
    this.#worker = new Worker(renewal, deps);
  }

  get facts(): NodeFacts {
    return this.deps.facts;
  }

  start(): void {
    this.#worker.start();
  }

  idle(): Promise<void> {
    return this.#worker.idle();
  }

  /** Gives back what the node holds. Where the store cannot be reached, its leases end with its registration. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    if (this.#joining === null) return;
    const { coordination, facts, logger } = this.deps;
    await coordination.leave(facts.id).catch((error: unknown) => {
      logger.warn('This node could not be signed off; its leases end by themselves.', { node: facts.id, error });
    });
  }

  async take(names: readonly string[], options?: { readonly evenPostponed?: boolean }): Promise<LeaseAnswer> {
    await (this.#joining ?? this.#renew());
    return this.deps.coordination.takeLeases(this.facts.id, names, options);
  }

  async release(names: readonly string[]): Promise<void> {
    return this.deps.coordination.release(this.facts.id, names);
  }

  async postpone(name: string, failures: number, ms: number): Promise<void> {
    return this.deps.coordination.postpone(this.facts.id, name, failures, ms);
  }

  async #renew(): Promise<void> {
    const { coordination, facts, leaseMs, clock } = this.deps;
    const isFirst = this.#joining === null;
    const renewing = clock.synchronize(() => coordination.renew(facts, leaseMs));
    if (isFirst) this.#joining = renewing;
    try {
      await renewing;
    } catch (error) {
      if (isFirst) this.#joining = null;
      throw error;
    }
  }
}
