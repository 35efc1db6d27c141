/** The connection between instances: delivers messages, at least once, perhaps out of order. */
import type { Json } from '../records/index.js';

export interface LinkMessage {
  /** `<seconds>.<nanoseconds>`, nine digits after the point, strictly increasing within a topic. */
  readonly messageId: string;
  readonly topic: string;
  readonly body: Json;
}

/**
 * Where a subscription begins: with the oldest message that the link still has, with the next one that is
 * published, or after the message with this id.
 */
export type LinkPosition = 'start' | 'now' | { readonly after: string };

export interface LinkSubscription {
  /**
   * Everything up to this message has been received, so a later subscription may begin after it; `null` while
   * that cannot be said of any message. It never goes back.
   */
  readonly settled: string | null;
  /** Delivers nothing more, and resolves when no `receive` is under way; so `receive` itself must not await it. */
  stop(): Promise<void>;
}

/** `linkConformance` of `@blockwork/testing` checks every promise made here. */
export interface Link {
  /**
   * Sends a message and resolves with its id once the link has taken it over; from then on it survives whatever
   * the link survives. A second call for the topic with the same idempotency key sends nothing and resolves with the
   * first id, for as long as the link remembers the key; after that the message may be sent twice.
   * Rejects with `LINK_UNAVAILABLE` when that is not known to have happened; it may have happened all the same.
   */
  publish(topic: string, body: Json, idempotencyKey: string): Promise<string>;

  /**
   * Calls `receive` for every message of the topic from that position on (`now` when absent), for several at a
   * time, and again for a message whose `receive` rejected, until it resolves. Every subscription gets every message.
   */
  subscribe(
    topic: string,
    receive: (message: LinkMessage) => Promise<void>,
    from?: LinkPosition,
  ): Promise<LinkSubscription>;

  /** Ends this connection, not the link: others that use the same one go on. After it, methods reject with `LINK_CLOSED`. */
  close(): Promise<void>;
}
