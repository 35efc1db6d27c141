/** Coordination in memory, shared by the nodes of a cluster: registrations, leases and notifiers. */
import type {
  Clock,
  Coordination,
  NodeNotifier,
  LeaseAnswer,
  NodeFacts,
  NodeStatus,
  RetryState,
  NotifiedNames,
} from '@blockwork/core/adapter';

/** The way between one node and the coordination. */
export interface Connecting {
  /**
   * Carries out one step, such as `renew` or `take leases`, and resolves with its result. Rejects if the connection
   * cannot be used.
   */
  readonly ask: <Result>(step: string, act: () => Result) => Promise<Result>;
  /** Carries a ring to one listener of another node. It may be late or lost, but does not happen during this call. */
  readonly carry: (notify: () => void) => void;
}

interface Registration {
  readonly facts: NodeFacts;
  readonly since: number;
  readonly aliveUntil: number;
}

interface Lease {
  /** `null` for one that is postponed. */
  readonly holder: string | null;
  readonly failures: number;
  readonly due: number;
}

interface Subscription {
  readonly owner: object;
  readonly listener: (notified: NotifiedNames) => void;
}

/**
 * One coordination for all nodes of a simulated store.
 *
 * @example
 * const shared = new SharedCoordination(clock);
 * const ask = async (step, act) => act();
 * const coordination = shared.connect(node, { ask, carry: queueMicrotask });
 */
export class SharedCoordination {
  readonly #nodes = new Map<string, Registration>();
  readonly #leases = new Map<string, Lease>();
  readonly #subscriptions = new Set<Subscription>();

  /** `clock`: the store's clock. */
  constructor(private readonly clock: Clock) {}

  /** The coordination as one node has it. `owner` stands for the node: it does not hear its own rings. */
  connect(owner: object, { ask, carry }: Connecting): Coordination {
    return {
      notifier: this.#notifierOf(owner, carry),
      renew: (node, ms) => ask('renew', () => this.#renew(node, ms)),
      leave: (nodeId) => ask('leave', () => this.#leave(nodeId)),
      nodes: () => ask('nodes', () => this.#alive()),
      takeLeases: (nodeId, names, { evenPostponed = false } = {}) =>
        ask('take leases', () => this.#take(nodeId, names, evenPostponed)),
      release: (nodeId, names) => ask('release leases', () => this.#release(nodeId, names)),
      postpone: (nodeId, name, failures, ms) => ask('postpone lease', () => this.#postpone(nodeId, name, failures, ms)),
    };
  }

  /** Ends the subscriptions of a node whose process has ended; its leases end with its registration. */
  forget(owner: object): void {
    for (const each of this.#subscriptions) if (each.owner === owner) this.#subscriptions.delete(each);
  }

  #renew(facts: NodeFacts, ms: number): number {
    const now = this.clock.now();
    const since = this.#nodes.get(facts.id)?.since ?? now;
    this.#nodes.set(facts.id, { facts, since, aliveUntil: now + ms });
    return now;
  }

  #leave(nodeId: string): void {
    this.#nodes.delete(nodeId);
    for (const [name, { holder }] of this.#leases) if (holder === nodeId) this.#leases.delete(name);
  }

  #alive(): NodeStatus[] {
    const leases = [...this.#leases.values()];
    return [...this.#nodes.values()]
      .filter(({ aliveUntil }) => aliveUntil > this.clock.now())
      .map(({ facts, since, aliveUntil }) => {
        const leaseCount = leases.filter(({ holder }) => holder === facts.id).length;
        return { ...facts, since, aliveUntil, leases: leaseCount };
      });
  }

  #take(nodeId: string, names: readonly string[], evenPostponed: boolean): LeaseAnswer {
    const taken = new Map<string, number>();
    const postponed = new Map<string, RetryState>();
    for (const name of names) {
      const { holder = null, failures = 0, due = -Infinity } = this.#leases.get(name) ?? {};
      if (holder !== null && holder !== nodeId && this.#isAlive(holder)) continue;
      if (holder === null && due > this.clock.now() && !evenPostponed) postponed.set(name, { failures, due });
      else {
        this.#leases.set(name, { holder: nodeId, failures, due });
        taken.set(name, failures);
      }
    }
    return { taken, postponed };
  }

  #release(nodeId: string, names: readonly string[]): void {
    for (const name of names) if (this.#leases.get(name)?.holder === nodeId) this.#leases.delete(name);
  }

  #postpone(nodeId: string, name: string, failures: number, ms: number): void {
    if (this.#leases.get(name)?.holder !== nodeId) return;
    this.#leases.set(name, { holder: null, failures, due: this.clock.now() + ms });
  }

  #notifierOf(owner: object, carry: Connecting['carry']): NodeNotifier {
    return {
      notify: (...names) => {
        const notified = new Set(names);
        for (const each of this.#subscriptions) if (each.owner !== owner) carry(() => each.listener(notified));
      },
      subscribe: (listener) => {
        const subscription = { owner, listener };
        this.#subscriptions.add(subscription);
        return () => void this.#subscriptions.delete(subscription);
      },
    };
  }

  #isAlive(nodeId: string): boolean {
    return (this.#nodes.get(nodeId)?.aliveUntil ?? -Infinity) > this.clock.now();
  }
}
