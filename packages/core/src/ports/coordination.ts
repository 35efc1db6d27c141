/**
 * Coordination: how the nodes of a shared store discover each other and divide their work. All of it is an optimization
 * and may fail at any moment; correctness rests on the compare-and-set of commits alone.
 */

import type { RetryState } from './backoff.js';

export interface NodeFacts {
  /** Unique to this run of the process. */
  readonly id: string;
  /** The name that operators see. */
  readonly name: string;
  /** The software's version. */
  readonly version: string;
}

/** A node that is registered. Times are milliseconds since 1970, by the store's clock. */
export interface NodeStatus extends NodeFacts {
  readonly since: number;
  /** The node counts as dead from this time on, unless it renews. */
  readonly aliveUntil: number;
  /** Number of leases it holds. */
  readonly leases: number;
}

export interface LeaseAnswer {
  /** The leases that the node holds now, with the number of failures in a row before. */
  readonly taken: ReadonlyMap<string, number>;
  /** Leases that no node may take yet; due by the store's clock. A name in neither map is held by another node. */
  readonly postponed: ReadonlyMap<string, RetryState>;
}

/** The names that others announced; `all` if some may have been missed. */
export type NotifiedNames = ReadonlySet<string> | 'all';

/** Hints to other nodes, which may be lost, merged or delayed. */
export interface NodeNotifier {
  /** Announces names to all other nodes soon. Neither waits nor throws. */
  notify(...names: readonly string[]): void;
  /** Calls `listener` with the names that other nodes announce, until the returned function is called. */
  subscribe(listener: (notified: NotifiedNames) => void): () => void;
}

/**
 * Any text is a valid node id and lease name. Methods reject with `STORE_UNAVAILABLE`, and with `STORE_CLOSED` after
 * the store was closed.
 */
export interface Coordination {
  readonly notifier: NodeNotifier;

  /** Registers the node, or renews its registration, for `ms` milliseconds. Resolves with the store's time. */
  renew(node: NodeFacts, ms: number): Promise<number>;

  /** Gives up all leases of the node and removes it. */
  leave(nodeId: string): Promise<void>;

  /** The nodes that are alive, oldest first. */
  nodes(): Promise<NodeStatus[]>;

  /**
   * Takes those of the leases that are free: never taken, released, or held by a dead node or by this one.
   * `evenPostponed`: also those that are not due yet. The node must be registered.
   */
  takeLeases(
    nodeId: string,
    names: readonly string[],
    options?: { readonly evenPostponed?: boolean },
  ): Promise<LeaseAnswer>;

  /** Releases leases that the node holds, and resets their failure counts. Leases of other nodes are left alone. */
  release(nodeId: string, names: readonly string[]): Promise<void>;

  /**
   * Releases a lease that the node holds; no node may take it for `ms` milliseconds. `failures`: the number in a row,
   * for the next holder.
   */
  postpone(nodeId: string, name: string, failures: number, ms: number): Promise<void>;
}
