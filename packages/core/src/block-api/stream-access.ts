/** A block's access to streams: events that policies publish to each other. */
import type { DocumentInput, JsonObject, StreamDocumentType } from '../records/index.js';

export interface StreamAnnouncement {
  readonly stream: string;
  readonly documentType: StreamDocumentType;
  /** A published document, with `messageId` and `hash`. */
  readonly document: DocumentInput;
}

export interface StreamRange {
  /** The last position seen, by source. Sources not listed are read from the beginning. */
  readonly after: Readonly<Record<string, string>>;
  readonly limit: number;
}

export interface ReceivedEvent {
  /** The source the position refers to: a policy id, or one name for all peers together. */
  readonly source: string;
  readonly position: string;
  readonly documentType: StreamDocumentType;
  /** The peer that sent it; empty for policies of this instance. */
  readonly instance: string;
  readonly policyId: string;
  readonly topicId: string;
  readonly messageId: string;
  readonly schema: string;
  readonly owner: string;
  /** `null` if it was revoked or changed since, or its proof is invalid. */
  readonly document: JsonObject | null;
}

export interface StreamAccess {
  /**
   * The events after the range's positions, oldest first, from other policies of the same owner and from peers that
   * share the stream. A published policy receives no events of dry runs.
   */
  events(stream: string, range: StreamRange): Promise<ReceivedEvent[]>;
  /**
   * Publishes a document to the stream as part of the unit of work: to policies of the same owner, and, from a
   * published policy, to peers that share the stream. Resolves to the names of peers whose size limit it exceeds.
   */
  announce(announcement: StreamAnnouncement): Promise<readonly string[]>;
}
