/** The beginning of a unit that nothing undurable precedes: on the store, or under a lock. */
import { BlockworkError } from '../errors.js';
import type { PolicyStore, RevisionLock } from '../ports/index.js';
import { CachedReader, currentReader } from './cache/cached-reader.js';
import type { RecordCaches } from './cache/record-caches.js';
import type { BegunUnit } from './group-commit-events.js';
import { singleKey, type Job } from './job.js';
import { isPolicyKey, type RevisionKey } from './revision-keys.js';
import { UnitOfWork, type UnitLimits } from './unit-of-work.js';

interface BeginDeps {
  readonly store: PolicyStore;
  readonly limits: UnitLimits;
  readonly caches?: RecordCaches | null;
}

/** If this node is the policy's only writer, the cached revision is presumed to be current. */
export async function beginOnStore({ store, limits, caches }: BeginDeps, job: Job): Promise<BegunUnit> {
  const key = singleKey(job);
  if (!caches || key === null || !isPolicyKey(key)) {
    const unit = await UnitOfWork.begin(store, job.keys, limits, job.externalResults);
    return { unit, confirmReads: () => undefined };
  }
  const history = store.history?.id;
  const presumed = caches.presumedRevision(key);
  job.isPresumed = presumed !== undefined;
  const reader =
    presumed === undefined
      ? await currentReader({ store, caches, policyId: key, isForUnit: true })
      : new CachedReader({ store, caches, policyId: key, revision: presumed, history, isForUnit: true });
  const expect = { [key]: reader.policyRevision };
  const base = {
    reader,
    expect,
    history: reader.history,
    ...(job.isPresumed && { assertCurrent: () => assertCurrentRevision(store, key, expect, history) }),
  };
  return { unit: UnitOfWork.on(base, limits, job.externalResults), confirmReads: () => reader.confirmReads() };
}

export function beginLocked({ store, limits, caches }: BeginDeps, job: Job, lock: RevisionLock): BegunUnit {
  const { revisions, history } = lock;
  const key = singleKey(job);
  job.isPresumed = false;
  const expect = Object.fromEntries(job.keys.map((each) => [each, revisions.get(each) ?? 0]));
  if (!caches || key === null || !isPolicyKey(key)) {
    const unit = UnitOfWork.on({ reader: store, expect, history }, limits, job.externalResults);
    return { unit, confirmReads: () => undefined };
  }
  const revision = revisions.get(key) ?? 0;
  if (caches.isOf(history)) caches.observed(key, revision);
  const deps = { store, caches, policyId: key, revision, history, revisions, isForUnit: true };
  const reader = new CachedReader(deps);
  return {
    unit: UnitOfWork.on({ reader, expect, history }, limits, job.externalResults),
    confirmReads: () => reader.confirmReads(),
  };
}

async function assertCurrentRevision(
  store: PolicyStore,
  key: RevisionKey,
  expect: Readonly<Record<RevisionKey, number>>,
  history: string | undefined,
): Promise<void> {
  if ((await store.revision(key)) === expect[key] && store.history?.id === history) return;
  throw new BlockworkError('CONFLICT', { facts: { key } });
}
