/** This process as a node of a shared store: registered while it runs, with the leases that it holds. */
import type { Clock, Coordination, LeaseAnswer, Logger, NodeFacts, NodeStatus, Timers } from '../../ports/index.js';
import { Worker, type BackgroundService } from '../worker.js';

export interface StoreNodeDeps {
  readonly coordination: Coordination;
  readonly facts: NodeFacts;
  /** Time in milliseconds after which a node that does not renew counts as dead. */
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
  #known: ReadonlyMap<string, NodeStatus> | null = null;

  constructor(private readonly deps: StoreNodeDeps) {
    const { leaseMs, clock } = deps;
    const renewal = {
      name: 'registration of this node',
      backoff: { firstMs: 200, longestMs: leaseMs / 3 },
      run: async () => {
        await this.#renew();
        await this.#updateNodes();
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

  /** Returns the node's leases. If the store is unreachable, they end with its registration. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    if (this.#joining === null) return;
    const { coordination, facts, logger } = this.deps;
    await coordination.leave(facts.id).catch((error: unknown) => {
      logger.warn('This node could not be signed off; its leases end by themselves.', { node: facts.id, error });
    });
  }

  /** The nodes that are alive, oldest first. */
  all(): Promise<NodeStatus[]> {
    return this.deps.coordination.nodes();
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

  /** Logs which nodes are present, and later which have joined or left. */
  async #updateNodes(): Promise<void> {
    const before = this.#known;
    const nodes = new Map((await this.all()).map((node) => [node.id, node]));
    this.#known = nodes;
    const { logger, facts } = this.deps;
    if (before === null) {
      logger.info('This node has joined the store.', { ...facts, nodes: [...nodes.values()].map(describe) });
      return;
    }
    for (const node of nodes.values())
      if (!before.has(node.id)) logger.info('A node has joined the store.', { id: node.id, node: describe(node) });
    for (const node of before.values()) {
      if (!nodes.has(node.id))
        logger.info('A node has left the store, or is dead.', { id: node.id, node: describe(node) });
    }
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

const describe = ({ id, name, version, since, leases }: NodeStatus): string =>
  `${name === '' ? id : name} (${version}) since ${new Date(since).toISOString()}, leases: ${leases}`;
