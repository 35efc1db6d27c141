/**
 * Coordination: how the nodes of a shared store know of each other and divide their work. All of it saves work and may fail at any
 * moment; that nothing is done wrongly rests on the compare-and-set of commits alone.
 */

import type { RetryState } from './backoff.js';

export interface NodeFacts {
  /** Unique to this run of the process. */
  readonly id: string;
  /** For people: what the operator calls it. */
  readonly name: string;
  /** Of the software. */
  readonly version: string;
}

/** A node that is registered. Times are milliseconds since 1970, by the store's clock. */
export interface NodeStatus extends NodeFacts {
  readonly since: number;
  /** It is dead from this moment on, unless it renews. */
  readonly aliveUntil: number;
  /** How many leases it holds. */
  readonly leases: number;
}

export interface LeaseAnswer {
  /** The leases that the node holds now, with the number of failures in a row before. */
  readonly taken: ReadonlyMap<string, number>;
  /** Those that no node may take yet; due by the store's clock. Names that are in neither are held by another node. */
  readonly postponed: ReadonlyMap<string, RetryState>;
}

/** The names that were rung for; `all` when some may have been missed. */
export type Rung = ReadonlySet<string> | 'all';

/** A hint to other nodes. Rings may be lost, joined, and delivered late. */
export interface Doorbell {
  /** Tells all other nodes, soon. Neither waits nor throws. */
  ring(...names: readonly string[]): void;
  /** Calls `listener` with what other nodes rang for, until the returned function is called. */
  subscribe(listener: (rung: Rung) => void): () => void;
}

/** A text for another node. */
export interface Letter {
  /** Unique. */
  readonly id: string;
  /** The id of the node that it is for. */
  readonly to: string;
  readonly text: string;
  /** Whether that node looks for letters soon, without being told of this one. */
  readonly isAwaited?: boolean;
  /** The id of the node that it is from, for replies; absent where none is expected. */
  readonly from?: string;
  /** Whether it replies to letters of that node, and so is never taken back. */
  readonly isReply?: boolean;
}

/** Texts from node to node. Each is delivered at most once, unless it is sent again; it may be lost. */
export interface Letters {
  /** Resolves when the letters lie ready for their nodes. After a failure, each of them may or may not. */
  send(letters: readonly Letter[]): Promise<void>;

  /** Takes the texts that lie ready for the node, oldest first. */
  take(nodeId: string): Promise<string[]>;

  /** Takes back those of the letters to a node that it has not taken. Resolves with their ids. */
  retract(to: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Calls `listener` when something may lie ready for the node, until the returned function is called. Calls may be lost. `texts`: replies
   * that came with the call, and need not be taken any more; without them there may be something to take.
   */
  subscribe(nodeId: string, listener: (texts?: readonly string[]) => void): () => void;
}

/**
 * Any text is a valid id of a node and name of a lease. Methods reject with `STORE_UNAVAILABLE`, and with `STORE_CLOSED` after the
 * store was closed.
 */
export interface Coordination {
  readonly doorbell: Doorbell;
  /** Absent where nodes cannot write to each other: then each does itself what it is asked for. */
  readonly letters?: Letters;

  /** Registers the node, or keeps it registered, for `ms` milliseconds. Resolves with the time by the store's clock. */
  renew(node: NodeFacts, ms: number): Promise<number>;

  /** Gives up all leases of the node and removes it. */
  leave(nodeId: string): Promise<void>;

  /** The nodes that are alive, oldest first. */
  nodes(): Promise<NodeStatus[]>;

  /**
   * Takes those of the leases that are free: never taken, released, held by a node that is dead, or by this one.
   * `evenPostponed`: those that are not due yet as well. A node must be registered.
   */
  takeLeases(
    nodeId: string,
    names: readonly string[],
    options?: { readonly evenPostponed?: boolean },
  ): Promise<LeaseAnswer>;

  /** Gives up leases that the node holds, and forgets their failures. Others are left alone. */
  release(nodeId: string, names: readonly string[]): Promise<void>;

  /** Gives up a lease that the node holds; no node may take it for `ms` milliseconds. `failures`: in a row, for the next holder. */
  postpone(nodeId: string, name: string, failures: number, ms: number): Promise<void>;
}
