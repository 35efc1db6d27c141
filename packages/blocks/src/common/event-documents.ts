/** The documents that an event carries: one record, a list of them, or none. */
import type { DocumentInput, Json } from '@blockwork/core/block';

/**
 * What moves along a chain: a record that is stored (then it has an `id`), or one that a block has made and that nobody
 * has stored yet.
 */
export type EventDocument = DocumentInput;

const isDocument = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.document === 'object';

/** In order; whatever is no document is left out. */
export const documentsIn = (data: Json): EventDocument[] =>
  (Array.isArray(data) ? data : [data]).filter(isDocument) as unknown as EventDocument[];

/** The documents as data of an event, one alone or a list as `like` was. */
export function asData(documents: readonly EventDocument[], like: Json): Json {
  const data = Array.isArray(like) ? documents : (documents[0] ?? null);
  return data as unknown as Json;
}
