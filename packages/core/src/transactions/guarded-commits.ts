/**
 * Commits under one revision key with few other writers: each expects the revision that the previous one left, without
 * reading it first. If another node has moved it, the commit rejects with `CONFLICT`, and the next one reads the
 * revision again.
 */
import type { Change, PolicyStore } from '../ports/index.js';
import type { RevisionKey } from './revision-keys.js';

/** Maximum number of keys whose revision is remembered. */
const KNOWN_AT_MOST = 1000;

export class GuardedCommits {
  readonly #next = new Map<RevisionKey, number>();
  /** The history of the store that they belong to. */
  #history: string | undefined;

  constructor(private readonly store: Pick<PolicyStore, 'history' | 'revision' | 'commit'>) {}

  /** Makes the next commit read the current revision. */
  forget(key: RevisionKey): void {
    this.#next.delete(key);
  }

  /** Several commits may be in progress at once; they are applied in call order. Rejects as `PolicyStore.commit`. */
  async commit(key: RevisionKey, changes: readonly Change[]): Promise<void> {
    const history = this.store.history?.id;
    if (history !== this.#history) this.#next.clear();
    this.#history = history;
    if (!this.#next.has(key)) {
      const number = await this.store.revision(key);
      // A concurrent call may have read the revision as well, and committed first.
      if (!this.#next.has(key)) this.#remember(key, number);
    }
    const number = this.#next.get(key) ?? 0;
    this.#next.set(key, number + 1);
    try {
      await this.store.commit({ expect: { [key]: number }, ...(history !== undefined && { history }), changes });
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
