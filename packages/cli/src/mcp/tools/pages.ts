/** Long lists as pages that fit into an answer. */
import { ANSWER_BYTES, firstFitting } from '../answer.js';

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Where the rest begins; absent if this is the end. */
  readonly nextOffset?: number;
}

export function pageFrom<T>(all: readonly T[], offset: number, bytes = ANSWER_BYTES - 4_096): Page<T> {
  const items = firstFitting(all.slice(offset), bytes);
  const end = offset + items.length;
  return { items, total: all.length, ...(end < all.length && items.length > 0 && { nextOffset: end }) };
}
