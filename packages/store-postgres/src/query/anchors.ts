/** Where pages ended, so that the one that follows begins there instead of counting to its offset. */
import { LRUCache } from 'lru-cache';

/** The last row of a page. */
export interface Anchor {
  readonly place: string;
  readonly sort: Buffer | null;
  /** Of the partition when the page was read: as long as it stands, no row has come or gone. */
  readonly stamp: string;
}

const QUERIES = 1000;
const PAGES = 64;

export class Anchors {
  readonly #ends = new LRUCache<string, Map<number, Anchor>>({ max: QUERIES });

  /** The last one at or before the offset, and how many rows are before it. */
  nearest(query: string, offset: number): { readonly anchor: Anchor; readonly rows: number } | undefined {
    let nearest;
    for (const [rows, anchor] of this.#ends.get(query) ?? []) {
      if (rows <= offset && (nearest === undefined || rows > nearest.rows)) nearest = { anchor, rows };
    }
    return nearest;
  }

  remember(query: string, rows: number, anchor: Anchor): void {
    const known = this.#ends.get(query);
    const isCurrent = known?.values().next().value?.stamp === anchor.stamp;
    const ends = known !== undefined && isCurrent ? known : new Map<number, Anchor>();
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
