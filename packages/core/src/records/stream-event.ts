/** Events of streams: announcements of one policy to others, of this instance and of its peers. */
import { z } from 'zod';
import type { JsonObject } from './json/json.js';

/** The id of a stream: that of a topic, such as `0.0.1234`, or a name. */
export const streamName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be 1 to 100 letters, digits, ".", "_" or "-"');

export const streamDocumentTypes = ['vc', 'json', 'csv', 'text', 'any'] as const;
export type StreamDocumentType = (typeof streamDocumentTypes)[number];

/**
 * In the partition of the policy that announced it; in that of the instance where a peer sent it. `id` is made of stream and
 * position.
 */
export interface StreamEvent {
  id: string;
  stream: string;
  /** `<seconds>.<nanoseconds>`, strictly increasing within the stream and the partition. */
  position: string;
  documentType: StreamDocumentType;
  /** The peer that sent it; empty for a policy of this instance. */
  instance: string;
  /** Its deduplication key; empty for a policy of this instance. */
  origin: string;
  policyId: string;
  /** Topic and message of the document. */
  topicId: string;
  messageId: string;
  /** IRI of the document's schema in its policy, or empty. */
  schema: string;
  hash: string;
  owner: string;
  /** When it was announced, as ISO text. */
  announcedAt: string;
  /** Of a peer, and verified; `null` for a policy of this instance, which has the document itself. */
  document: JsonObject | null;
}

export const streamEventId = (stream: string, position: string): string => `${stream}/${position}`;
