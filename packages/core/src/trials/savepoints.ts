/**
 * Savepoints: earlier states of a trial to return to. What lies outside the policy's records is not restored: the
 * policy itself, and requests to other instances.
 */
import type { Caller } from '../access/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { type Clock, type Ids, isoNow } from '../ports/index.js';
import {
  equalTo,
  INSTANCE,
  jsonBytes,
  type RecordKind,
  type RecordKinds,
  type RetryTimer,
  sameJson,
  type SavedRecord,
  type Savepoint,
  type SavepointPart,
} from '../records/index.js';
import type { BlockTimers } from '../runtime/index.js';
import { type Executor, lanes, type RecordReader, revisionKeys, type UnitOfWork } from '../transactions/index.js';
import { assertTrial, deleteSavepoint, deleteTimers, journal, trialKinds, trialOf } from '../context/index.js';

export interface SavepointLimits {
  /** Maximum number per policy. */
  readonly savepoints: number;
  /** Maximum size of the records of one savepoint, as JSON. */
  readonly savepointBytes: number;
}

export interface SavepointsDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly blockTimers: Pick<BlockTimers, 'startTicks'>;
  readonly store: RecordReader;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: SavepointLimits;
}

/** In the order of the records within a kind. A record of the journal's archive is large. */
const savedKinds = [...trialKinds, 'journal-archive', 'journal-tree', 'journal-tile'] as const;
const PAGE = 200;
const LONGEST_NAME = 200;

export class Savepoints {
  constructor(private readonly deps: SavepointsDeps) {}

  /** Oldest first. */
  list(policyId: string): Promise<Savepoint[]> {
    return this.deps.store.find('savepoint', policyId, { order: { path: 'createDate', direction: 'asc' } });
  }

  /** Throws `SAVEPOINTS_TOO_MANY`, `SAVEPOINT_TOO_LARGE`. */
  async make(caller: Caller, policyId: string, name: string): Promise<Savepoint> {
    const { clock, ids, limits } = this.deps;
    return this.#unit(caller, policyId, 'savepoint', async (unit) => {
      const count = await unit.count('savepoint', policyId);
      if (count >= limits.savepoints) throw new BlockworkError('SAVEPOINTS_TOO_MANY', { facts: { policyId, count } });
      const trial = await trialOf(unit, policyId);
      const id = ids.uuid();
      const records = await this.#recordsOf(unit, policyId);
      const { parts, bytes } = partsOf(id, records);
      this.#assertSize(policyId, bytes);
      for (const part of parts) unit.put('savepoint-part', policyId, part);
      const savepoint: Savepoint = {
        id,
        name: name.trim().slice(0, LONGEST_NAME),
        did: caller.did,
        createDate: isoNow(clock),
        parent: trial.savepoint,
        records: records.length,
        bytes,
        documents: records.filter(({ kind }) => kind === 'document').length,
        recording: trial.recording,
      };
      unit.put('savepoint', policyId, savepoint);
      unit.put('trial', policyId, { ...trial, savepoint: id });
      return savepoint;
    });
  }

  /** Returns to a savepoint; later ones are kept, and can be restored in turn. Throws `SAVEPOINT_UNKNOWN`. */
  async restore(caller: Caller, policyId: string, savepointId: string): Promise<Savepoint> {
    return this.#unit(caller, policyId, 'restore', async (unit) => {
      const savepoint = await savepointOf(unit, policyId, savepointId);
      const saved = await savedRecords(unit, policyId, savepointId);
      for (const kind of savedKinds) await replace(unit, kind, policyId, saved.get(kind) ?? []);
      await replaceNotifications(unit, policyId, saved.get('notification') ?? []);
      await this.#replaceTimers(unit, policyId, saved.get('timer') ?? []);
      const { recording } = savepoint;
      unit.put('trial', policyId, { ...(await trialOf(unit, policyId)), savepoint: savepointId, recording });
      return savepoint;
    });
  }

  /** Savepoints made from it are kept. Throws `SAVEPOINT_UNKNOWN`. */
  async remove(caller: Caller, policyId: string, savepointId: string): Promise<void> {
    const { executor, policies, clock } = this.deps;
    const key = revisionKeys.policy.of(policyId);
    await executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      const { record } = await policies.open(policyId);
      if (record.owner !== caller.did) throw new BlockworkError('POLICY_NOT_OWNED', { facts: { policyId } });
      const { parent } = await savepointOf(unit, policyId, savepointId);
      await deleteSavepoint(unit, policyId, savepointId);
      for (const child of await unit.find('savepoint', policyId)) {
        if (child.parent === savepointId) unit.put('savepoint', policyId, { ...child, parent });
      }
      const trial = await trialOf(unit, policyId);
      if (trial.savepoint === savepointId) unit.put('trial', policyId, { ...trial, savepoint: parent });
      journal(unit, key, { policyId, action: 'delete a savepoint', did: caller.did }, clock);
    });
  }

  /** In the policy's lane and under its key: no node writes to the trial meanwhile. */
  async #unit<T>(caller: Caller, policyId: string, action: string, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const { executor, policies, clock } = this.deps;
    const key = revisionKeys.policy.of(policyId);
    const { result } = await executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      assertTrial(await policies.open(policyId), action, caller);
      const done = await work(unit);
      journal(unit, key, { policyId, action, did: caller.did }, clock);
      return done;
    });
    return result;
  }

  /** Stops early once the records are clearly too large. Throws `SAVEPOINT_TOO_LARGE`. */
  async #recordsOf(unit: UnitOfWork, policyId: string): Promise<SavedRecord[]> {
    const records: SavedRecord[] = [];
    let characters = 0;
    const add = (kind: RecordKind, value: { readonly id: string }): void => {
      records.push({ kind, value });
      characters += JSON.stringify(value).length;
      this.#assertSize(policyId, characters);
    };
    for (const kind of savedKinds) {
      for await (const value of allOf(unit, kind, policyId)) add(kind, value);
    }
    const isOfPolicy = { where: equalTo('policyId', policyId) };
    for (const value of await unit.find('notification', INSTANCE, isOfPolicy)) add('notification', value);
    const now = this.deps.clock.now();
    for (const timer of await unit.find('timer', INSTANCE, isOfPolicy)) {
      if (timer.type !== 'retry') continue;
      const retry: RetryTimer = { ...timer, due: Math.max(0, timer.due - now) };
      add('timer', retry);
    }
    return records;
  }

  #assertSize(policyId: string, bytes: number): void {
    const limit = this.deps.limits.savepointBytes;
    if (bytes > limit) throw new BlockworkError('SAVEPOINT_TOO_LARGE', { facts: { policyId, limit } });
  }

  /** Timetables restart according to the present policy; retries keep their remaining wait. */
  async #replaceTimers(unit: UnitOfWork, policyId: string, saved: readonly Saved<'timer'>[]): Promise<void> {
    await deleteTimers(unit, policyId);
    this.deps.blockTimers.startTicks(unit, await this.deps.policies.open(policyId));
    const now = this.deps.clock.now();
    for (const timer of saved) unit.put('timer', INSTANCE, { ...timer, due: now + timer.due });
  }
}

type Saved<Kind extends RecordKind> = RecordKinds[Kind];

/** Records by kind, each in its order. */
class SavedRecords {
  readonly #byKind = new Map<string, { readonly id: string }[]>();

  add({ kind, value }: SavedRecord): void {
    const others = this.#byKind.get(kind);
    if (others === undefined) this.#byKind.set(kind, [value]);
    else others.push(value);
  }

  get<Kind extends RecordKind>(kind: Kind): Saved<Kind>[] | undefined {
    return this.#byKind.get(kind) as Saved<Kind>[] | undefined;
  }
}

async function savepointOf(unit: UnitOfWork, policyId: string, id: string): Promise<Savepoint> {
  const savepoint = await unit.get('savepoint', policyId, id);
  if (savepoint === undefined) throw new BlockworkError('SAVEPOINT_UNKNOWN', { facts: { policyId, id } });
  return savepoint;
}

async function savedRecords(unit: UnitOfWork, policyId: string, savepointId: string): Promise<SavedRecords> {
  const saved = new SavedRecords();
  const where = equalTo('savepointId', savepointId);
  const order = { path: 'id', direction: 'asc' } as const;
  for (let offset = 0; ; offset += 1) {
    const [part] = await unit.find('savepoint-part', policyId, { where, order, offset, limit: 1 });
    if (part === undefined) return saved;
    for (const record of part.records) saved.add(record);
  }
}

async function* allOf<Kind extends RecordKind>(
  unit: UnitOfWork,
  kind: Kind,
  policyId: string,
): AsyncGenerator<RecordKinds[Kind], void> {
  const limit = kind === 'journal-archive' ? 1 : PAGE;
  for (let offset = 0; ; offset += limit) {
    const page = await unit.find(kind, policyId, { offset, limit });
    yield* page;
    if (page.length < limit) return;
  }
}

/** Writes only the differences: journal entries, for example, are equal up to the savepoint. */
async function replace<Kind extends RecordKind>(
  unit: UnitOfWork,
  kind: Kind,
  policyId: string,
  saved: readonly RecordKinds[Kind][],
): Promise<void> {
  const wanted = new Map(saved.map((value) => [value.id, value]));
  const surplus: string[] = [];
  for await (const present of allOf(unit, kind, policyId)) {
    const value = wanted.get(present.id);
    if (value === undefined) surplus.push(present.id);
    else if (sameJson(value, present)) wanted.delete(present.id);
  }
  for (const id of surplus) unit.delete(kind, policyId, id);
  for (const value of wanted.values()) unit.put(kind, policyId, value);
}

/** Restores the notifications, which are stored in the users' inboxes. */
async function replaceNotifications(
  unit: UnitOfWork,
  policyId: string,
  saved: readonly Saved<'notification'>[],
): Promise<void> {
  const wanted = new Set(saved.map(({ id }) => id));
  const present = await unit.find('notification', INSTANCE, { where: equalTo('policyId', policyId) });
  for (const { id } of present) if (!wanted.has(id)) unit.delete('notification', INSTANCE, id);
  for (const value of saved) unit.put('notification', INSTANCE, value);
}

/** Approximate size of one part; a record is never split. */
const PART_BYTES = 256 * 1024;

/** The parts in order, and the size of all records as JSON. */
function partsOf(
  savepointId: string,
  records: readonly SavedRecord[],
): { readonly parts: readonly SavepointPart[]; readonly bytes: number } {
  const parts: SavepointPart[] = [];
  let [bytes, room] = [0, 0];
  for (const record of records) {
    const size = jsonBytes(record.value);
    bytes += size;
    room -= size;
    const last = parts.at(-1);
    if (last !== undefined && room >= 0) {
      last.records.push(record);
      continue;
    }
    parts.push({ id: `${savepointId}/${String(parts.length).padStart(6, '0')}`, savepointId, records: [record] });
    room = PART_BYTES - size;
  }
  return { parts, bytes };
}
