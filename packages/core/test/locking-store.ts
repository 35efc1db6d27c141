/** A durable store in memory whose locks a test grants. */
import { BlockworkError } from '@blockwork/core';
import type { ChangeSet, HostWork, LockRequest, RevisionLock } from '@blockwork/core/adapter';
import { SlowStore } from './slow-store.js';

/** A store whose locks a test grants, and whose commits under them are applied at once. */
export class LockingStore extends SlowStore {
  override readonly capabilities = { durable: true, shared: false, hostWork: true };
  readonly requests: LockRequest[] = [];
  /** What happened under locks: commits as the number of their change sets, or what else ended the lock. */
  readonly ends: (number | 'released' | 'refused')[] = [];
  isWanted = true;
  isAvailable = true;
  /** Whether the next use of a lock finds it lost. */
  isLost = false;

  /** `key`: named by the conflicts of lost locks. */
  constructor(private readonly key: string) {
    super();
  }

  async lock(request: LockRequest): Promise<RevisionLock | null> {
    this.requests.push(request);
    if (!this.isAvailable) throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the test says so' } });
    const all = [...request.keys, ...(request.alsoRead ?? [])];
    const revisions = new Map(await Promise.all(all.map(async (key) => [key, await this.revision(key)] as const)));
    const assertHeld = (): void => {
      if (!this.isLost) return;
      this.isLost = false;
      this.ends.push('refused');
      throw new BlockworkError('CONFLICT', { facts: { key: this.key } });
    };
    return {
      ...{ revisions, history: undefined, hasWaited: this.isWanted },
      commit: async (changeSets: readonly ChangeSet[], work?: HostWork) => {
        assertHeld();
        const [first] = changeSets;
        for (const [key, number] of Object.entries(first?.expect ?? {})) {
          if (revisions.get(key) !== number) throw new BlockworkError('CONFLICT', { facts: { key } });
        }
        await work?.(undefined);
        const committed = this.commitChain(changeSets);
        await this.apply();
        await committed;
        this.ends.push(changeSets.length);
      },
      release: async () => {
        await Promise.resolve();
        assertHeld();
        this.ends.push('released');
      },
    };
  }
}
