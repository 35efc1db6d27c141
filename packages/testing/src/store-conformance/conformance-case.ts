/** A case of the store suite: one promise of the port with its check. */
import type { ChangeSet, Coordination, PolicyStore } from '@blockwork/core/adapter';

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
