/** A case of the store suite: one promise of the port with its check. */
import { isBlockworkError } from '@blockwork/core';
import type {
  ChangeSet,
  Coordination,
  LockRequest,
  PolicyStore,
  RevisionLock,
  StoreReader,
} from '@blockwork/core/adapter';

export interface ConformanceCase {
  /** A sentence about the store; also the name to skip it by. */
  readonly promise: string;
  readonly check: (store: PolicyStore, reopen: Reopen) => Promise<void>;
  /** Only for stores that can be reopened. */
  readonly durable?: true;
}

/** Closes and reopens the store. */
export type Reopen = () => Promise<PolicyStore>;

export const promise = (sentence: string, check: ConformanceCase['check']): ConformanceCase => ({
  promise: sentence,
  check,
});

export const durablePromise = (sentence: string, check: ConformanceCase['check']): ConformanceCase => ({
  promise: sentence,
  check,
  durable: true,
});

/** A promise of `Coordination`. */
export const coordinatedPromise = (
  sentence: string,
  check: (coordination: Coordination) => Promise<void>,
): ConformanceCase => ({
  promise: sentence,
  check: ({ coordination }) => {
    if (coordination === undefined) throw new Error('The store has no coordination.');
    return check(coordination);
  },
});

/** A promise of `commitChain`. */
export const chainPromise = (
  sentence: string,
  check: (store: PolicyStore, chain: (changeSets: readonly ChangeSet[]) => Promise<void>) => Promise<void>,
): ConformanceCase =>
  promise(sentence, (store) =>
    check(store, async (changeSets) => {
      if (store.commitChain === undefined) throw new Error('The store has no commitChain.');
      return store.commitChain(changeSets);
    }),
  );

/** Takes a lock that the store has, asking again if the store lost it with its connection. */
export type TakeLock = (request: LockRequest) => Promise<RevisionLock>;

/** A promise of `lock`. */
export const lockPromise = (
  sentence: string,
  check: (store: PolicyStore, take: TakeLock) => Promise<void>,
): ConformanceCase =>
  promise(sentence, (store) =>
    check(store, async (request) => {
      const lock = await store.lock?.(request);
      if (lock === undefined || lock === null) throw new Error('The store has no such lock.');
      return lock;
    }),
  );

type Snapshot = <T>(read: (reader: StoreReader) => Promise<T>) => Promise<T>;

/** A store may lose a snapshot with its connection, and never goes on with another one behind the reader's back. */
const ATTEMPTS = 200;

/** A promise of `snapshot`; what is read in one that the store lost is read again in another. */
export const snapshotPromise = (
  sentence: string,
  check: (store: PolicyStore, snapshot: Snapshot) => Promise<void>,
): ConformanceCase =>
  promise(sentence, (store) =>
    check(store, async (read) => {
      if (store.snapshot === undefined) throw new Error('The store has no snapshot.');
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await store.snapshot(read);
        } catch (error) {
          if (!isBlockworkError(error, 'STORE_UNAVAILABLE') || attempt === ATTEMPTS) throw error;
        }
      }
    }),
  );
