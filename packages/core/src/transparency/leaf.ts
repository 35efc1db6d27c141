/** Leaves: what a log says about an entry of the journal. */
import { hash } from 'node:crypto';
import { canonicalJson, type JournalEntry } from '../records/index.js';

/**
 * An entry without its content, in two parts, so that what a unit of work changed can be shown without who started it and
 * which blocks ran. Each part is the SHA-256 of canonical JSON (RFC 8785), in hexadecimal digits.
 */
export interface LogLeaf {
  /** The id of the entry. */
  readonly id: string;
  readonly at: string;
  /** Of its `documents` and `effects`. */
  readonly outcome: string;
  /** Of everything else in it. */
  readonly course: string;
}

export function leafOf({ id, at, documents, effects, ...course }: JournalEntry): LogLeaf {
  return { id, at, outcome: digest({ documents, effects }), course: digest(course) };
}

/** The bytes of a leaf: its members as JSON, in this order. */
export const leafData = ({ id, at, outcome, course }: LogLeaf): Buffer =>
  Buffer.from(JSON.stringify({ id, at, outcome, course }));

/** Entries are made with their members in the order of canonical JSON. */
const digest = (value: object): string => hash('sha256', canonicalJson(value), 'hex');
