/** How a block reaches streams: events that policies announce to each other. */
import type { DocumentInput, JsonObject, StreamDocumentType } from '../records/index.js';

export interface StreamAnnouncement {
  readonly stream: string;
  readonly documentType: StreamDocumentType;
  /** A document that was published: it has a `messageId` and a `hash`. */
  readonly document: DocumentInput;
}

export interface StreamRange {
  /** The last position that was seen, by source. A source that is not named is read from its first event. */
  readonly after: Readonly<Record<string, string>>;
  readonly limit: number;
}

export interface ReceivedEvent {
  /** Where positions count: the id of a policy, or one name for all peers together. */
  readonly source: string;
  readonly position: string;
  readonly documentType: StreamDocumentType;
  /** The peer that sent it; empty for a policy of this instance. */
  readonly instance: string;
  readonly policyId: string;
  readonly topicId: string;
  readonly messageId: string;
  readonly schema: string;
  readonly owner: string;
  /** `null` where it was revoked or changed since, or its proof does not hold. */
  readonly document: JsonObject | null;
}

export interface StreamAccess {
  /**
   * The events behind the range's positions, oldest first: of other policies of the same owner, and of peers that the program
   * shares the stream with. A published policy gets none of trials.
   */
  events(stream: string, range: StreamRange): Promise<ReceivedEvent[]>;
  /**
   * Announces a document, as part of the unit of work: to policies of the same owner, and from a published policy to the
   * peers that the program shares the stream with. Resolves with the names of the peers for whom it is too large.
   */
  announce(announcement: StreamAnnouncement): Promise<readonly string[]>;
}
