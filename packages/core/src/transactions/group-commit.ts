/**
 * Group commit: while one group of finished units is being written, the next one gathers. Later units read the changes
 * of earlier ones before these are durable. If a group is rejected, everything based on it is rerun.
 */
import { setImmediate } from 'node:timers/promises';
import { BlockworkError, isBlockworkError } from '../errors.js';
import type { ChangeSet, Clock, PolicyStore, RevisionLock, Timers } from '../ports/index.js';
import { BatchLock } from './batch-lock.js';
import type { BegunUnit, GroupCommitEvents } from './group-commit-events.js';
import type { CommitListener } from './commit-listeners.js';
import { beginLocked, beginOnStore } from './begin-unit.js';
import { CachedReader, cachedRecords } from './cache/cached-reader.js';
import type { RecordCaches } from './cache/record-caches.js';
import { completed, type CompletedGroup, type GroupCompletion } from './group-completion.js';
import { hasHostWork, takeGroup, writeGroup } from './group-write.js';
import { singleKey, type FinishedJob, type Job } from './job.js';
import { LayeredReader } from './layered-reader.js';
import { isPolicyKey, type Lane, type RevisionKey, revisionKeys } from './revision-keys.js';
import { channels, unnamedSource, type TelemetrySource } from '../telemetry/index.js';
import { UndurableChanges } from './undurable-changes.js';
import { UnitOfWork, type UnitLimits } from './unit-of-work.js';

export interface GroupCommitDeps {
  readonly store: PolicyStore;
  /** Absent if units never wait for locks. */
  readonly batchTimes?: { readonly clock: Clock; readonly timers: Timers } | undefined;
  readonly commits: CommitListener;
  readonly limits: { readonly conflictRetries: number } & UnitLimits;
  readonly source?: TelemetrySource;
  /** Adds to each group what follows from its changes. */
  readonly completion?: GroupCompletion;
  /** Cached records of policies in a shared store; absent if reading the store is cheap. */
  readonly caches?: RecordCaches | null;
}

/** What was written for each change set: the same, and what completes it. */
type Written = ReadonlyMap<ChangeSet, ChangeSet>;

/** Limits on undurable units; at a limit, no further unit starts until some are durable. */
const UNITS_AT_MOST = 256;
const CHANGES_AT_MOST = 10_000;
const BYTES_AT_MOST = 64 * 1024 * 1024;

export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  readonly #lane: Lane;
  readonly #events: GroupCommitEvents;
  readonly #canStack: boolean;
  readonly #changes = new UndurableChanges();
  /** The group that is being written, and the one that gathers. */
  #committing: FinishedJob[] = [];
  #ready: FinishedJob[] = [];
  /** The only revision key of the undurable units; `null` if they have several. */
  #key: RevisionKey | null = null;
  /** The revision of that key after the last undurable unit. */
  #nextRevision = 0;
  /** The history of the undurable units. */
  #history: string | undefined;
  #failures = 0;
  /** The lock under which units run; they are committed together when their batch ends. */
  #batch: BatchLock | null = null;
  /** Number of units the next group waits for although nothing is being written; 0 if it does not wait. */
  #awaitedUnits = 0;

  constructor(deps: GroupCommitDeps, lane: Lane, events: GroupCommitEvents) {
    this.#deps = deps;
    this.#lane = lane;
    this.#events = events;
    const { store } = deps;
    // A store that is not durable acknowledges at once, so there would be nothing to gain.
    this.#canStack = store.capabilities.durable && store.commitChain !== undefined;
  }

  get isEmpty(): boolean {
    return this.#undurable === 0;
  }

  get isLocked(): boolean {
    return this.#batch !== null;
  }

  /** Incremented with each failed group: a unit that began before has read changes that were never committed. */
  get failures(): number {
    return this.#failures;
  }

  get #undurable(): number {
    return this.#committing.length + this.#ready.length;
  }

  /**
   * Whether a job may start before the undurable ones are written. All of them must have the same single key: the
   * writes of a unit with several keys are also read outside the lane.
   */
  mayStack(job: Job): boolean {
    if (this.#batch?.mayStart(job.keys) === false) return false;
    // Its lock ends with the commit of the next group.
    if (this.#batch !== null && hasHostWork(this.#ready)) return false;
    if (this.isEmpty) return true;
    if (!this.#canStack || this.#key === null || singleKey(job) !== this.#key) return false;
    if (this.#undurable >= UNITS_AT_MOST || this.#changes.size >= CHANGES_AT_MOST) return false;
    return [...this.#committing, ...this.#ready].reduce((sum, { bytes }) => sum + bytes, 0) < BYTES_AT_MOST;
  }

  /**
   * Takes the lock of the keys for a batch of units, waiting in the queue of the lane. Called while no unit is undurable.
   * `null` if the store has no lock for them. Rejects as `PolicyStore.lock`.
   */
  async lock(keys: readonly RevisionKey[]): Promise<RevisionLock | null> {
    const { store, batchTimes } = this.#deps;
    if (store.lock === undefined || batchTimes === undefined) return null;
    const alsoRead = keys.filter(isPolicyKey).map((key) => revisionKeys.definition.of(key));
    const lock = await store.lock({ queue: this.#lane, keys, alsoRead });
    if (lock !== null) this.#batch = new BatchLock(lock, keys, { ...batchTimes, onOverdue: () => this.endBatch() });
    return lock;
  }

  /** Commits the units of the batch that have ended, if any, and thereby ends its lock. */
  endBatch(): void {
    if (this.#batch === null) return;
    if (this.#ready.length > 0) this.#startNext();
    else
      void this.#endLock()
        ?.release()
        .catch(() => undefined);
  }

  /** The lock of the batch, which its user ends. */
  #endLock(): RevisionLock | undefined {
    const batch = this.#batch;
    this.#batch = null;
    batch?.end();
    return batch?.lock;
  }

  /** Begins a unit that reads the store, or the store with the undurable changes on top. */
  async begin(job: Job): Promise<BegunUnit> {
    const { store, limits, caches, completion } = this.#deps;
    this.#batch?.onStarted();
    const last = this.#ready.at(-1) ?? this.#committing.at(-1);
    const key = this.#key;
    if (last === undefined || key === null || this.#changes.size === 0) {
      return this.#batch === null ? beginOnStore(this.#deps, job) : beginLocked(this.#deps, job, this.#batch.lock);
    }
    const assertCurrent = this.#failureCheck(key);
    const durable = async (): Promise<void> => {
      assertCurrent();
      if (this.#committing.includes(last) || this.#ready.includes(last)) {
        this.endBatch();
        await new Promise<void>((resolve) => last.watchers.push(resolve));
      }
      assertCurrent();
    };
    const [revision, history] = [this.#nextRevision, this.#history];
    const reader = new LayeredReader({
      store,
      changes: this.#changes,
      key,
      durableRevision: () => this.#durableRevision(key),
      assertCurrent,
      durable,
      ...(completion && { completedKinds: completion.kinds }),
      ...(caches && {
        cached: {
          ...cachedRecords(caches, key, history, () => this.#durableRevision(key)),
          reader: () => new CachedReader({ store, caches, policyId: key, revision, history, isForUnit: true }),
        },
      }),
    });
    const base = { reader, expect: { [key]: revision }, history };
    return { unit: UnitOfWork.on(base, limits, job.externalResults), confirmReads: () => reader.confirmReads() };
  }

  /** The revision below the undurable changes: that of the last one, once none is left. */
  #durableRevision(key: RevisionKey): number {
    const first = [...this.#committing, ...this.#ready].find(({ changeSet }) => changeSet !== null);
    return first?.expect[key] ?? this.#nextRevision;
  }

  /** Writes a finished job with the next group. */
  add(finished: FinishedJob): void {
    const { changeSet, created, job } = finished;
    if (changeSet !== null) {
      this.#key = singleKey(job);
      if (this.#key !== null) this.#nextRevision = (changeSet.expect[this.#key] ?? 0) + 1;
      this.#history = changeSet.history;
      // Without stacked units, nothing reads them.
      if (this.#canStack) this.#changes.add(changeSet, created);
    }
    if (this.#batch !== null) {
      // Under the lock, nothing else than this revision can have been read.
      finished.confirmReads();
      this.#ready.push({ ...finished, confirmReads: () => undefined });
      return;
    }
    this.#ready.push(finished);
    if (this.#ready.length >= this.#awaitedUnits) this.#startNext();
  }

  /** Returns a check that throws `CONFLICT` once a group has failed. */
  #failureCheck(key: RevisionKey): () => void {
    const failures = this.#failures;
    return () => {
      if (failures !== this.#failures) throw new BlockworkError('CONFLICT', { facts: { key } });
    };
  }

  #startNext(): void {
    this.#awaitedUnits = 0;
    if (this.#committing.length > 0) return;
    this.#committing = takeGroup(this.#ready);
    if (this.#committing.length > 0) void this.#commit(this.#committing);
  }

  async #commit(group: readonly FinishedJob[]): Promise<void> {
    const changeSets = group.flatMap(({ changeSet }) => changeSet ?? []);
    const { caches } = this.#deps;
    const lock = this.#endLock();
    caches?.beginCommit(changeSets);
    let written: Written;
    try {
      written = await this.#write(group, lock);
    } catch (error) {
      caches?.endCommit(changeSets);
      caches?.assumeOtherWriters(group.map(({ expect }) => expect));
      await this.#onRejected(group, changeSets.length, error);
      return;
    }
    caches?.endCommit(changeSets);
    this.#committing = [];
    for (const finished of group) this.#acknowledge(finished, written);
    this.#gather(group.length);
    this.#events.progress();
  }

  /**
   * Answered clients may send again at once. If the next group left without them, they would all be in the one after
   * it, and small groups would alternate with large ones, with nothing to run while the large ones are written. So a
   * small group waits until it has half as many units as were `answered`, but only for units that can run before the
   * next turn of the event loop.
   */
  #gather(answered: number): void {
    const half = Math.floor(answered / 2);
    if (this.#ready.length === 0 || this.#ready.length >= half) {
      this.#startNext();
      return;
    }
    this.#awaitedUnits = half;
    void setImmediate().then(() => {
      if (this.#awaitedUnits > 0) this.#startNext();
    });
  }

  /** Resolves with what was written for each change set of the group. */
  async #write(group: readonly FinishedJob[], lock?: RevisionLock): Promise<Written> {
    const own = group.flatMap(({ changeSet }) => changeSet ?? []);
    if (lock === undefined) await this.#assertReadsCurrent(group);
    else if (own.length === 0) await lock.release();
    if (own.length === 0) return new Map();
    const { changeSets, confirmReads } = await this.#completed(own, lock);
    const place = { store: this.#deps.store, lane: this.#lane, lock };
    const store = (): Promise<void> => writeGroup(place, changeSets, group[0]?.hostWork);
    await (channels.commit.isHeard ? this.#traced(group, changeSets, store) : store());
    confirmReads();
    return new Map(own.map((changeSet, at) => [changeSet, changeSets[at] ?? changeSet]));
  }

  #traced(group: readonly FinishedJob[], changeSets: readonly ChangeSet[], store: () => Promise<void>): Promise<void> {
    const { source = unnamedSource } = this.#deps;
    const changes = changeSets.reduce((sum, each) => sum + each.changes.length, 0);
    const traceparents = group.flatMap(({ traceparent }) => traceparent ?? []);
    const operation = { source, traceparent: undefined, units: changeSets.length, changes, traceparents };
    return channels.commit.trace(operation, store);
  }

  /** Nothing else of this lane is being written meanwhile. If it fails, the lock ends. */
  async #completed(changeSets: readonly ChangeSet[], lock: RevisionLock | undefined): Promise<CompletedGroup> {
    try {
      return await completed(this.#deps, changeSets);
    } catch (error) {
      await lock?.release().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Units without changes have no commit that could be rejected. Their reads are valid if the next commit of the group
   * expects the revisions they began with; without a next commit, and for keys that it does not expect, if no other
   * process has written since. Units after the last commit of the group depend on it, and are rerun with it.
   */
  async #assertReadsCurrent(group: readonly FinishedJob[]): Promise<void> {
    const last = group.findLastIndex(({ changeSet }) => changeSet !== null);
    for (const [at, { changeSet, expect, history }] of group.entries()) {
      if (changeSet !== null || (last >= 0 && at > last)) continue;
      const next = new Map(Object.entries(group.slice(at).find((after) => after.changeSet !== null)?.expect ?? {}));
      for (const [key, number] of Object.entries(expect)) {
        const current = next.get(key) ?? (await this.#deps.store.revision(key));
        if (current !== number || history !== this.#deps.store.history?.id)
          throw new BlockworkError('CONFLICT', { facts: { key } });
      }
    }
  }

  #acknowledge({ changeSet, job, outcome, confirmReads, watchers }: FinishedJob, written: Written): void {
    confirmReads();
    if (changeSet !== null) {
      if (this.#canStack) this.#changes.remove(changeSet);
      const completed = written.get(changeSet) ?? changeSet;
      this.#deps.caches?.committed(completed);
      this.#deps.commits.committed(completed);
    }
    job.end(outcome);
    for (const watch of watchers) watch();
  }

  async #onRejected(group: readonly FinishedJob[], size: number, error: unknown): Promise<void> {
    if (isBlockworkError(error, 'CONFLICT')) this.#onConflict(group, error);
    else if (size > 1 && isBlockworkError(error, 'STORE_UNAVAILABLE')) await this.#commitOneByOne(group);
    else this.#fail(size > 0 ? group.filter(({ changeSet }) => changeSet !== null) : group, error);
  }

  #onConflict(group: readonly FinishedJob[], error: unknown): void {
    // A presumed revision may be long out of date, which does not indicate several concurrent writers.
    if (group[0]?.job.isPresumed !== true) this.#events.conflict();
    this.#fail(this.#exhausted(group), error);
  }

  /** The first job of a rejected group, if it has no attempts left; those after it were not tried. */
  #exhausted([first]: readonly FinishedJob[]): FinishedJob[] {
    if (first === undefined) return [];
    first.job.conflicts += 1;
    return first.job.conflicts > this.#deps.limits.conflictRetries ? [first] : [];
  }

  /**
   * Finds the unit that makes the store reject a group. If the store rejects even the first one, it rejects them all
   * now.
   */
  async #commitOneByOne(group: readonly FinishedJob[]): Promise<void> {
    for (const [at, finished] of group.entries()) {
      let written: Written;
      try {
        written = await this.#write([finished]);
      } catch (error) {
        const rest = group.slice(at).filter(({ changeSet }) => changeSet !== null);
        if (isBlockworkError(error, 'CONFLICT')) this.#onConflict(rest, error);
        else this.#fail(at === 0 ? rest : [finished], error);
        return;
      }
      this.#committing = group.slice(at + 1);
      this.#acknowledge(finished, written);
    }
    this.#progressed();
  }

  /** Ends the `failed` jobs with the error. All other undurable jobs are rerun, in their order. */
  #fail(failed: readonly FinishedJob[], error: unknown): void {
    const undurable = [...this.#committing, ...this.#ready];
    const others = undurable.filter((finished) => !failed.includes(finished));
    this.#committing = [];
    this.#ready = [];
    this.#changes.clear();
    this.#failures += 1;
    this.#events.rerun(others.map(({ job }) => job));
    for (const { job, outcome, expect } of failed) {
      // A unit that could not begin has its own error; what the others have read may be wrong.
      job.end(Object.keys(expect).length === 0 ? outcome : { error: error as Error });
    }
    for (const { watchers } of undurable) for (const watch of watchers) watch();
    this.#progressed();
  }

  #progressed(): void {
    this.#startNext();
    this.#events.progress();
  }
}
