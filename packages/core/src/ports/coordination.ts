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

/** The names that were rung for; `all` if some may have been missed. */
export type Rung = ReadonlySet<string> | 'all';

/** A hint to other nodes. Rings may be lost, merged or delayed. */
export interface Doorbell {
  /** Notifies all other nodes soon. Neither waits nor throws. */
  ring(...names: readonly string[]): void;
  /** Calls `listener` with the names that other nodes ring for, until the returned function is called. */
  subscribe(listener: (rung: Rung) => void): () => void;
}

/** A text message for another node. */
export interface Letter {
  /** Unique. */
  readonly id: string;
  /** The id of the receiving node. */
  readonly to: string;
  readonly text: string;
  /** Whether that node will poll for letters soon, without a notification of this one. */
  readonly isAwaited?: boolean;
  /** The id of the sending node, for replies; absent if none is expected. */
  readonly from?: string;
  /** Whether this is a reply, which is never retracted. */
  readonly isReply?: boolean;
}

/** Text messages between nodes. Each is delivered at most once unless it is sent again, and may be lost. */
export interface Letters {
  /** Resolves when the letters are ready for their nodes. After a failure, each of them may or may not be. */
  send(letters: readonly Letter[]): Promise<void>;

  /** Takes the texts that are ready for the node, oldest first. */
  take(nodeId: string): Promise<string[]>;

  /** Retracts those of the letters to a node that it has not taken. Resolves with their ids. */
  retract(to: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Calls `listener` when letters may be ready for the node, until the returned function is called. Calls may be lost.
   * `texts`: replies delivered with the call itself, which need not be taken; without them there may be letters to
   * take.
   */
  subscribe(nodeId: string, listener: (texts?: readonly string[]) => void): () => void;
}

/**
 * Any text is a valid node id and lease name. Methods reject with `STORE_UNAVAILABLE`, and with `STORE_CLOSED` after
 * the store was closed.
 */
export interface Coordination {
  readonly doorbell: Doorbell;
  /** Absent if nodes cannot message each other: each node then does its own work. */
  readonly letters?: Letters;

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
