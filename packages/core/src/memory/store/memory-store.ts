/** The in-memory policy store: not durable, not shared. */
import { BlockworkError } from '../../errors.js';
import { optionTypes } from '../../defaults/index.js';
import { checkOptions, type OptionShape } from '../../options/index.js';
import type { Change, ChangeSet, PolicyStore, RecordQuery, StoreCapabilities } from '../../ports/index.js';
import { cloneJson, type Condition, type RecordKind, type RecordKinds } from '../../records/index.js';
import { RecordTables, type RecordTablesOptions } from './record-tables.js';

export type MemoryStoreOptions = RecordTablesOptions;

const shape: OptionShape<MemoryStoreOptions> = { indexBytes: optionTypes.wholeNumber(0) };

export class MemoryStore implements PolicyStore {
  readonly capabilities: StoreCapabilities = { durable: false, shared: false };
  #tables: RecordTables;
  #closed = false;

  /** Throws `OPTION_INVALID`. */
  constructor(options: MemoryStoreOptions = {}) {
    checkOptions(options, shape, 'memory store: ');
    this.#tables = new RecordTables(options);
  }

  async revision(key: string): Promise<number> {
    return this.#open().revisions.get(key);
  }

  async revisions(keys: readonly string[]): Promise<readonly number[]> {
    const { revisions } = this.#open();
    return keys.map((key) => revisions.get(key));
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    return this.#open().get(kind, partition, id);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    return this.#open().find(kind, partition, query);
  }

  async findShared<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query?: RecordQuery,
  ): Promise<readonly RecordKinds[Kind][]> {
    return this.#open().findShared(kind, partition, query);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    return this.#open().count(kind, partition, where);
  }

  async commit(changeSet: ChangeSet): Promise<void> {
    const tables = this.#open();
    tables.revisions.check(changeSet.expect);
    tables.apply(copyChangeSet(changeSet));
  }

  async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    const tables = this.#open();
    tables.revisions.checkChain(changeSets.map(({ expect }) => expect));
    for (const copy of changeSets.map(copyChangeSet)) tables.apply(copy);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#tables = new RecordTables();
  }

  #open(): RecordTables {
    if (this.#closed) throw new BlockworkError('STORE_CLOSED');
    return this.#tables;
  }
}

/** A deep copy; the change set itself if it is final. Throws `INTERNAL` for a record whose `id` is not a string. */
export function copyChangeSet(changeSet: ChangeSet): ChangeSet {
  const { expect, changes, isFinal = false } = changeSet;
  for (const change of changes) assertId(change);
  return isFinal ? changeSet : { expect: cloneJson(expect), changes: changes.map((change) => cloneJson(change)) };
}

function assertId(change: Change): void {
  const id: unknown = change.op === 'put' ? change.value.id : change.id;
  if (typeof id === 'string') return;
  const cause = new TypeError(`A record of the kind "${change.kind}" needs a text as its id, not ${typeof id}.`);
  throw new BlockworkError('INTERNAL', { cause });
}
