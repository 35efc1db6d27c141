/** Documents in event data: one record, a list, or none. */
import type { EventData } from '../block-api/index.js';
import type { DocumentInput, Json } from '../records/index.js';

/**
 * The documents in an event's data, in order: stored ones, which have an `id`, and new ones that are not stored yet.
 * Everything else is ignored.
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

/** The documents as data of the next event: a list if `data` was one, otherwise the first document or `null`. */
export const shapedLike = (documents: readonly DocumentInput[], data: Json): EventData =>
  Array.isArray(data) ? documents : (documents[0] ?? null);
