/** The conformance suite for policy stores. */
import type { PolicyStore } from '@blockwork/core/adapter';
import { afterEach, describe, expect, it } from 'vitest';
import { addressing } from './store-conformance/addressing.js';
import { chaining } from './store-conformance/chaining.js';
import { closing } from './store-conformance/closing.js';
import { committing } from './store-conformance/committing.js';
import { concurrency } from './store-conformance/concurrency.js';
import { conditions } from './store-conformance/conditions.js';
import type { ConformanceCase } from './store-conformance/conformance-case.js';
import { coordinating } from './store-conformance/coordinating.js';
import { durability } from './store-conformance/durability.js';
import { histories } from './store-conformance/histories.js';
import { history } from './store-conformance/history.js';
import { isolation } from './store-conformance/isolation.js';
import { hosting, locking } from './store-conformance/locking.js';
import { ordering } from './store-conformance/ordering.js';
import { reading } from './store-conformance/reading.js';
import { snapshotting } from './store-conformance/snapshotting.js';

export interface StoreConformanceTarget {
  /** Opens a new, empty store. The suite closes it. */
  open(): Promise<PolicyStore>;
  /** Reopens a closed store. Required for stores that are `durable`, and only for these. */
  reopen?(store: PolicyStore): Promise<PolicyStore>;
  /** For stores that have `commitChain`, and only for them. */
  readonly takesChains?: true;
  /** For stores that have `snapshot`, and only for them. */
  readonly hasSnapshots?: true;
  /** For stores that have `lock`, and only for them. */
  readonly hasLocks?: true;
  /** For stores with the capability `hostWork`, and only for them. */
  readonly takesHostWork?: true;
  /** For stores that have a `coordination`, and only for them. */
  readonly isCoordinated?: true;
  /** For stores that have a `history`, and only for them. */
  readonly hasHistory?: true;
  /** Promises that the store does not keep, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}

const areas: Readonly<Record<string, readonly ConformanceCase[]>> = {
  reading,
  ordering,
  conditions,
  committing,
  isolation,
  addressing,
  concurrency,
  closing,
  durability,
  history,
  coordinating,
  histories,
  chaining,
  snapshotting,
  locking,
  hosting,
};

/**
 * Declares the suite with vitest; call it at the top of a test file:
 * `policyStoreConformance('MyStore', { open: async () => new MyStore() })`.
 * Throws for a skip of an unknown promise or without a reason.
 */
export function policyStoreConformance(name: string, target: StoreConformanceTarget): void {
  assertSkips(target.skip ?? {});
  describe(`${name} as a policy store`, () => {
    let store: PolicyStore | undefined;
    const open = async (): Promise<PolicyStore> => (store = await target.open());
    const reopenWith = (reopen: NonNullable<StoreConformanceTarget['reopen']>) => async (): Promise<PolicyStore> => {
      const before = store ?? (await open());
      await before.close();
      return (store = await reopen(before));
    };

    afterEach(async () => {
      await store?.close();
      store = undefined;
    });

    it('says of itself whether it is durable', async () => {
      expect((await open()).capabilities.durable).toBe(target.reopen !== undefined);
    });

    it('says of itself whether it takes chains of commits', async () => {
      expect((await open()).commitChain !== undefined).toBe(target.takesChains ?? false);
    });

    it('says of itself whether it has snapshots', async () => {
      expect((await open()).snapshot !== undefined).toBe(target.hasSnapshots ?? false);
    });

    it('says of itself whether it has locks', async () => {
      expect((await open()).lock !== undefined).toBe(target.hasLocks ?? false);
    });

    it('says of itself whether it takes host work', async () => {
      expect((await open()).capabilities.hostWork ?? false).toBe(target.takesHostWork ?? false);
    });

    it('says of itself whether several processes may share it, and coordinates them then', async () => {
      const { capabilities, coordination } = await open();
      expect(coordination !== undefined).toBe(target.isCoordinated ?? false);
      if (coordination !== undefined) expect(capabilities.shared).toBe(true);
    });

    it('says of itself whether it may change its history', async () => {
      expect((await open()).history !== undefined).toBe(target.hasHistory ?? false);
    });

    for (const [area, cases] of Object.entries(areas)) {
      if (cases === coordinating && !target.isCoordinated) continue;
      if (cases === histories && !target.hasHistory) continue;
      if (cases === chaining && !target.takesChains) continue;
      if (cases === locking && !target.hasLocks) continue;
      if (cases === hosting && !target.takesHostWork) continue;
      if (cases === snapshotting && !target.hasSnapshots) continue;
      describe(area, () => {
        for (const { promise, check, durable } of cases) {
          const reopen = durable ? target.reopen?.bind(target) : neverReopened;
          const reason = target.skip?.[promise] ?? (reopen === undefined ? 'the store is not durable' : undefined);
          if (reason !== undefined || reopen === undefined) it.skip(`${promise} (skipped: ${reason})`, () => undefined);
          else it(promise, async () => check(await open(), reopenWith(reopen)));
        }
      });
    }
  });
}

const neverReopened = (): Promise<PolicyStore> =>
  Promise.reject(new Error('Only cases about durability open a store again.'));

function assertSkips(skip: Readonly<Record<string, string>>): void {
  const promises = new Set(Object.values(areas).flatMap((cases) => cases.map(({ promise }) => promise)));
  for (const [promise, reason] of Object.entries(skip)) {
    if (!promises.has(promise)) throw new Error(`There is no promise "${promise}" to skip.`);
    if (reason.trim() === '') throw new Error(`Say why "${promise}" is skipped.`);
  }
}
