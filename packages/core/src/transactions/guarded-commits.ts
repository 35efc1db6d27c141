/**
 * Commits under one revision key with few other writers: each expects the revision that the previous one left, without reading it
 * first. If another node has raised it, the commit rejects with `CONFLICT`, and the next one reads it.
 */
import type { Change, PolicyStore } from '../ports/index.js';
import type { RevisionKey } from './revision-keys.js';

/** Keys whose number is remembered at most. */
const KNOWN_AT_MOST = 1000;

export class GuardedCommits {
  readonly #next = new Map<RevisionKey, number>();

  constructor(private readonly store: Pick<PolicyStore, 'revision' | 'commit'>) {}

  /** Has the next commit ask for the present number. */
  forget(key: RevisionKey): void {
    this.#next.delete(key);
  }

  /** Several may be under way at once; they are made in the order of the calls. Rejects as `PolicyStore.commit`. */
  async commit(key: RevisionKey, changes: readonly Change[]): Promise<void> {
    if (!this.#next.has(key)) {
      const number = await this.store.revision(key);
      // Another call may have asked as well, and gone ahead.
      if (!this.#next.has(key)) this.#remember(key, number);
    }
    const number = this.#next.get(key) ?? 0;
    this.#next.set(key, number + 1);
    try {
      await this.store.commit({ expect: { [key]: number }, changes });
    } catch (error) {
      this.forget(key);
      throw error;
    }
  }

  #remember(key: RevisionKey, number: number): void {
    if (this.#next.size >= KNOWN_AT_MOST) this.#next.clear();
    this.#next.set(key, number);
  }
}
