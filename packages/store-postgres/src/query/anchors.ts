/** Keyset anchors: where pages ended, so that the next page starts there instead of skipping rows up to its offset. */
import { LRUCache } from 'lru-cache';

/** The last row of a page. */
export interface Anchor {
  readonly place: string;
  readonly sort: Buffer | null;
  /** The partition's stamp when the page was read: while unchanged, no row was added or removed. */
  readonly stamp: string;
}

const QUERIES = 1000;
const PAGES = 64;

export class Anchors {
  readonly #ends = new LRUCache<string, Map<number, Anchor>>({ max: QUERIES });

  /** The last anchor at or before the offset, and the number of rows before it. */
  nearest(query: string, offset: number): { readonly anchor: Anchor; readonly rows: number } | undefined {
    let nearest;
    for (const [rows, anchor] of this.#ends.get(query) ?? []) {
      if (rows <= offset && (nearest === undefined || rows > nearest.rows)) nearest = { anchor, rows };
    }
    return nearest;
  }

  remember(query: string, rows: number, anchor: Anchor): void {
    const anchors = this.#ends.get(query);
    const isCurrent = anchors?.values().next().value?.stamp === anchor.stamp;
    const ends = anchors !== undefined && isCurrent ? anchors : new Map<number, Anchor>();
    ends.delete(rows);
    ends.set(rows, anchor);
    for (const oldest of ends.keys()) {
      if (ends.size <= PAGES) break;
      ends.delete(oldest);
    }
    this.#ends.set(query, ends);
  }

  forget(query: string): void {
    this.#ends.delete(query);
  }
}
