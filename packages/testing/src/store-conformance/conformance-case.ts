/** One promise of the store's contract, and how to see whether a store keeps it. */
import type { PolicyStore } from '@blockwork/core/adapter';

export interface ConformanceCase {
  /** A sentence about the store; also the name to skip it by. */
  readonly promise: string;
  readonly check: (store: PolicyStore, reopen: Reopen) => Promise<void>;
  /** Only asked of stores that can be opened again. */
  readonly durable?: true;
}

/** Closes the store and opens it again with all that it kept. */
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
