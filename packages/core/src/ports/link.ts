/** The connection between instances: delivers messages, at least once, perhaps out of order. */
import type { Json } from '../records/index.js';

export interface LinkMessage {
  /** `<seconds>.<nanoseconds>`, nine digits after the point, strictly increasing within a topic. */
  readonly messageId: string;
  readonly topic: string;
  readonly body: Json;
}

export interface Link {
  /**
   * Sends a message and resolves with its id once the link has taken it over. A second call with the same
   * idempotency key sends nothing and resolves with the first id.
   */
  publish(topic: string, body: Json, idempotencyKey: string): Promise<string>;

  /** Calls `receive` for every message of the topic from now on. Returns how to stop. */
  subscribe(topic: string, receive: (message: LinkMessage) => Promise<void>): Promise<() => Promise<void>>;

  close(): Promise<void>;
}
