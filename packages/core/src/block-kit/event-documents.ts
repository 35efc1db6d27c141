/** The documents that an event carries: one record, a list of them, or none. */
import type { EventData } from '../block-api/index.js';
import type { DocumentInput, Json } from '../records/index.js';

/**
 * The documents in the data of an event, in order: stored ones, which have an `id`, and those that a block has made and that
 * are not stored yet. Anything else in the data is left out.
 */
export function documentsIn(data: Json): DocumentInput[] {
  const values: readonly unknown[] = Array.isArray(data) ? data : [data];
  return values.filter(isDocument);
}

const isDocument = (value: unknown): value is DocumentInput =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'document' in value &&
  typeof value.document === 'object';

/** The documents as data of the next event: a list where `data` was one, otherwise the first alone, or `null`. */
export const shapedLike = (documents: readonly DocumentInput[], data: Json): EventData =>
  Array.isArray(data) ? documents : (documents[0] ?? null);
