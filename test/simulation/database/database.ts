/**
 * The server of the simulated database: a primary that all nodes of an instance share, and a standby that may take its
 * place. Everything here happens at one moment; what lies between a node and the server is in `connection.ts`.
 */
import { BlockworkError } from '@blockwork/core';
import { copyChangeSet, RecordTables, type ChangeSet, type LockRequest } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { SharedCoordination } from '@blockwork/testing';
import type { Plants } from '../plants/plants.js';
import { DatabaseLocks, type Place } from './locks.js';

/** What becomes of commits when the primary is lost. */
export type Replication = 'none' | 'synchronous' | 'asynchronous';

interface Applied {
  readonly id: number;
  readonly changeSets: readonly ChangeSet[];
  /** When the standby has it. */
  readonly arrives: number;
}

export interface DatabaseDeps {
  readonly now: () => number;
  readonly replication: Replication;
  readonly plants: Plants;
  /** Called with each commit, at the moment at which everybody sees it. */
  readonly applied: (changeSets: readonly ChangeSet[]) => void;
  /** Called when commits are gone. */
  readonly lost: (tables: RecordTables) => void;
}

/** The request belongs to another history than the present one. */
export class HistoryMoved extends Error {}
/** The statement was fenced off by the session that sent it. */
export class Fenced extends Error {}

export class Database {
  tables = new RecordTables();
  readonly locks = new DatabaseLocks();
  readonly coordination: SharedCoordination;
  isUp = true;
  /** Increases whenever all connections end. */
  epoch = 0;
  /** Milliseconds until the standby has a commit, when replication is asynchronous. */
  lagMs = 20;
  #standby = new RecordTables();
  #unreplicated: Applied[] = [];
  #history = 1;
  #committed = new Set<number>();
  readonly #fenced = new Set<number>();
  #lastId = 0;

  constructor(private readonly deps: DatabaseDeps) {
    this.coordination = new SharedCoordination(deps);
  }

  get history(): string {
    return `history ${this.#history}`;
  }

  /** An id for one attempt to commit. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Throws `CONFLICT`, `HistoryMoved` and `Fenced`. */
  commit(id: number, history: string, changeSets: readonly ChangeSet[]): void {
    if (history !== this.history) throw new HistoryMoved();
    if (this.#fenced.has(id)) throw new Fenced();
    const { plants } = this.deps;
    const isOther = (each: ChangeSet): boolean => each.history !== undefined && each.history !== this.history;
    if (changeSets.some(isOther)) throw conflict(changeSets);
    if (!plants.has('no-revision-check')) this.tables.revisions.checkChain(changeSets.map(({ expect }) => expect));
    const copies = changeSets.map(copyChangeSet);
    for (const copy of copies) this.tables.apply(copy);
    this.#committed.add(id);
    this.#replicate({ id, changeSets: copies, arrives: this.deps.now() + this.lagMs });
    this.deps.applied(copies);
  }

  /** Commits under a lock and ends it. Throws as `commit`, and `CONFLICT` if the lock is over. */
  commitLocked(place: Place, id: number, history: string, changeSets: readonly ChangeSet[]): void {
    if (place.state !== 'held') throw conflict(changeSets);
    try {
      this.commit(id, history, changeSets);
    } finally {
      this.locks.end(place);
    }
  }

  /** Whether the statement was executed; if not, it never will be. */
  fence(id: number): boolean {
    if (this.deps.plants.has('no-fence')) return false;
    if (this.#committed.has(id)) return true;
    this.#fenced.add(id);
    return false;
  }

  revisionsOf({ keys, alsoRead = [] }: LockRequest): ReadonlyMap<string, number> | null {
    const numbers = new Map([...keys, ...alsoRead].map((key) => [key, this.tables.revisions.get(key)]));
    return keys.some((key) => numbers.get(key) === 0) ? null : numbers;
  }

  /** The primary ends; the standby takes its place, or the same server comes back. Returns the number of lost commits. */
  failOver(): number {
    this.#catchUp(this.deps.now());
    const lost = this.deps.replication === 'none' ? [] : this.#unreplicated;
    if (this.deps.replication !== 'none') this.tables = this.#standby;
    this.#standby = this.deps.replication === 'none' ? this.#standby : copyOf(this.tables);
    this.#unreplicated = [];
    for (const { id } of lost) this.#committed.delete(id);
    this.#history += 1;
    this.epoch += 1;
    this.locks.endAll();
    if (lost.length > 0) this.deps.lost(this.tables);
    return lost.length;
  }

  #replicate(applied: Applied): void {
    const { replication, plants } = this.deps;
    if (replication === 'none') return;
    this.#unreplicated.push(applied);
    const isLate = replication === 'asynchronous' || plants.has('acknowledged-before-durable');
    this.#catchUp(isLate ? this.deps.now() : Infinity);
  }

  #catchUp(until: number): void {
    let count = 0;
    for (const { arrives, changeSets } of this.#unreplicated) {
      if (arrives > until) break;
      for (const each of changeSets) this.#standby.apply(each);
      count += 1;
    }
    this.#unreplicated.splice(0, count);
  }
}

/** The revision keys that a commit moves or writes under. */
export const keysOf = (changeSets: readonly ChangeSet[]): string[] => [
  ...new Set(
    changeSets.flatMap(({ expect, changes }) => [
      ...Object.keys(expect),
      ...changes.map(({ partition }) => partition).filter((partition) => partition !== INSTANCE),
    ]),
  ),
];

const conflict = ([first]: readonly ChangeSet[]): BlockworkError =>
  new BlockworkError('CONFLICT', { facts: { key: Object.keys(first?.expect ?? {})[0] ?? '' } });

function copyOf(tables: RecordTables): RecordTables {
  const copy = new RecordTables();
  for (const { kind, partition } of tables.tables()) copy.load(kind, partition, tables.values(kind, partition));
  for (const [key, number] of tables.revisions) copy.revisions.set(key, number);
  return copy;
}
