/** The link between instances: delivers messages at least once, possibly out of order. */
import type { Json } from '../records/index.js';

export interface LinkMessage {
  /** `<seconds>.<nanoseconds>`, nine digits after the point, strictly increasing within a topic. */
  readonly messageId: string;
  readonly topic: string;
  readonly body: Json;
}

/**
 * Where a subscription starts: at the oldest message the link still has, at the next one published, or after the message with
 * this id.
 */
export type LinkPosition = 'start' | 'now' | { readonly after: string };

export interface LinkSubscription {
  /**
   * Everything up to this message has been received, so a later subscription may start after it; `null` before the
   * first. Never decreases.
   */
  readonly settled: string | null;
  /** Stops delivery. Resolves when no `receive` is running, so `receive` itself must not await it. */
  stop(): Promise<void>;
}

/** The state of the link, for the operator. */
export interface LinkStatus {
  readonly isConnected: boolean;
  /** Why it is not connected. */
  readonly reason?: string;
  /** Number of unreadable messages set aside for the operator since the link was opened. */
  readonly setAside: number;
  /** How often the link detected lost messages since it was opened. */
  readonly losses: number;
}

/** `linkConformance` of `@blockwork/testing` checks every promise made here. */
export interface Link {
  /**
   * Sends a message. Resolves with its id once the link has stored it. A second call for the topic with the same
   * idempotency key sends nothing and resolves with the first id, for as long as the link remembers the key. Rejects
   * with `LINK_UNAVAILABLE` if the outcome is unknown; the message may have been sent. Rejects with `MESSAGE_TOO_LARGE`
   * if the message cannot be delivered: it exceeds the link's limit in bytes, or is nested too deep.
   */
  publish(topic: string, body: Json, idempotencyKey: string): Promise<string>;

  /**
   * Calls `receive` for every message of the topic from that position (default `now`), several concurrently. A message
   * whose `receive` rejected is redelivered until it resolves. Every subscription gets every message. Unreadable
   * messages are set aside, and do not block those that follow.
   *
   * After a loss, a subscription continues with everything the link still has: messages may be redelivered under new
   * ids. Ids keep increasing. Rejects with `LINK_UNAVAILABLE` while the link is not connected.
   */
  subscribe(
    topic: string,
    receive: (message: LinkMessage) => Promise<void>,
    from?: LinkPosition,
  ): Promise<LinkSubscription>;

  /**
   * Calls `listener` when the link detects that messages may be lost: it was reset to an older state, or lost
   * everything. Returns a function that unsubscribes.
   */
  onLoss(listener: (reason: string) => void): () => void;

  status(): LinkStatus;

  /** Closes this connection; others on the same link are unaffected. Afterwards methods reject with `LINK_CLOSED`. */
  close(): Promise<void>;
}
