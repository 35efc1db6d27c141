/** One queued commit: its expectations and changes, in database names. */
import { BlockworkError } from '@blockwork/core';
import type { Change, ChangeSet } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { fullName, nameOf } from '../codec/name.js';
import { addressOf, rowOf, type Address, type Row } from '../codec/row.js';

export interface Expectation {
  readonly key: string;
  /** The key in the database. */
  readonly name: string;
  readonly number: number;
  /** The increment: more than one for a chain of commits. */
  readonly steps: number;
}

/** A record to write, or to delete if there is no row. */
export interface UnitChange {
  readonly address: Address;
  readonly row: Row | null;
}

export interface Unit {
  /** In the order of the change set. */
  readonly expected: readonly Expectation[];
  /** The history in which these were read; `undefined` if it does not matter. */
  readonly history: string | undefined;
  readonly changes: readonly UnitChange[];
  /** Revision rows it advances or stamps: those of the keys it expects and of the partitions it writes to. */
  readonly revisions: ReadonlySet<string>;
  /** Full names of keys and partitions whose names are shortened. */
  readonly fullNames: ReadonlyMap<string, string>;
  readonly isInInstance: boolean;
  /** Ordering keys: units that share one are committed in call order. */
  readonly order: ReadonlySet<string>;
  readonly bytes: number;
  /** Committed in a statement of its own, because it may have caused a shared one to fail. */
  isAlone: boolean;
  readonly resolve: () => void;
  readonly reject: (error: BlockworkError) => void;
}

/** The ordering key of the partition shared by all policies; distinct from every escaped name. */
const IN_INSTANCE = '\n';

/** Copies the change set immediately, since the caller may modify it later. Throws `INTERNAL` for a record without an id. */
export function unitOf(chain: readonly ChangeSet[], settle: Pick<Unit, 'resolve' | 'reject'>): Unit {
  const expected = expectationsOf(chain);
  const changes = chain.flatMap((changeSet) => changeSet.changes);
  const unitChanges = changes.map(toUnitChange);
  const stamped = new Set(changes.map(({ partition }) => partition).filter((partition) => partition !== INSTANCE));
  const revisions = new Set([...expected.map(({ name }) => name), ...[...stamped].map(nameOf)]);
  const isInInstance = changes.some(({ partition }) => partition === INSTANCE);
  return {
    expected,
    history: expected.length === 0 ? undefined : chain.find(({ history }) => history !== undefined)?.history,
    changes: unitChanges,
    revisions,
    fullNames: fullNamesOf([...expected.map(({ key }) => key), ...stamped]),
    isInInstance,
    order: isInInstance ? new Set([...revisions, IN_INSTANCE]) : revisions,
    bytes: unitChanges.reduce((sum, { row }) => sum + (row === null ? 0 : Buffer.byteLength(row.body)), 0),
    isAlone: false,
    ...settle,
  };
}

/** The expectation of the first commit for each key; throws `CONFLICT` if a later commit of the chain expects a different revision. */
function expectationsOf(chain: readonly ChangeSet[]): Expectation[] {
  const expected = new Map<string, Expectation>();
  for (const { expect } of chain) {
    for (const [key, number] of Object.entries(expect)) {
      const before = expected.get(key);
      if (before !== undefined && before.number + before.steps !== number) {
        throw new BlockworkError('CONFLICT', { facts: { key } });
      }
      const first = before ?? { key, name: nameOf(key), number, steps: 0 };
      expected.set(key, { ...first, steps: first.steps + 1 });
    }
  }
  return [...expected.values()];
}

/** Identifies a record. */
export const addressText = ({ partition, kind, id }: Address): string => `${kind}\n${partition}\n${id}`;

function toUnitChange(change: Change): UnitChange {
  const id: unknown = change.op === 'put' ? change.value.id : change.id;
  if (typeof id !== 'string') {
    const cause = new TypeError(`A record of the kind "${change.kind}" needs a text as its id, not ${typeof id}.`);
    throw new BlockworkError('INTERNAL', { cause });
  }
  const address = addressOf(change.kind, change.partition, id);
  return { address, row: change.op === 'put' ? rowOf(change.kind, change.partition, change.value) : null };
}

function fullNamesOf(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const text of texts) {
    const full = fullName(text);
    if (full !== null) names.set(nameOf(text), full);
  }
  return names;
}
