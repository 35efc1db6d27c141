/** One commit that waits: what it expects and changes, in the names of the database. */
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
  /** By how much it is moved: more than one for a chain of commits. */
  readonly steps: number;
}

/** A record written, or removed where there is no row. */
export interface UnitChange {
  readonly address: Address;
  readonly row: Row | null;
}

export interface Unit {
  /** In the order of the change set. */
  readonly expected: readonly Expectation[];
  readonly changes: readonly UnitChange[];
  /** Rows of revisions that it moves or stamps: those of the keys it expects and of the partitions it writes to. */
  readonly revisions: ReadonlySet<string>;
  /** Keys and partitions whose names are shortened, in full. */
  readonly fullNames: ReadonlyMap<string, string>;
  readonly isInInstance: boolean;
  /** Two units that share one of these are committed in the order of the calls. */
  readonly order: ReadonlySet<string>;
  readonly bytes: number;
  /** It shares its statement with no other unit, since one that it shared it with may have failed because of it. */
  isAlone: boolean;
  readonly resolve: () => void;
  readonly reject: (error: BlockworkError) => void;
}

/** What a unit in the partition that all policies share is ordered by; no escaped name looks like it. */
const IN_INSTANCE = '\n';

/** Takes everything from the change set at once: the caller may change it later. Throws `INTERNAL` for a record without an id. */
export function unitOf(chain: readonly ChangeSet[], settle: Pick<Unit, 'resolve' | 'reject'>): Unit {
  const expected = expectationsOf(chain);
  const changes = chain.flatMap((changeSet) => changeSet.changes);
  const taken = changes.map(takeOver);
  const stamped = new Set(changes.map(({ partition }) => partition).filter((partition) => partition !== INSTANCE));
  const revisions = new Set([...expected.map(({ name }) => name), ...[...stamped].map(nameOf)]);
  const isInInstance = changes.some(({ partition }) => partition === INSTANCE);
  return {
    expected,
    changes: taken,
    revisions,
    fullNames: fullNamesOf([...expected.map(({ key }) => key), ...stamped]),
    isInInstance,
    order: isInInstance ? new Set([...revisions, IN_INSTANCE]) : revisions,
    bytes: taken.reduce((sum, { row }) => sum + (row?.body.length ?? 0), 0),
    isAlone: false,
    ...settle,
  };
}

/** What the first commit that names a key expects; throws `CONFLICT` where a later one expects something else than is left behind. */
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

/** The same text for the same record. */
export const addressText = ({ partition, kind, id }: Address): string => `${kind}\n${partition}\n${id}`;

function takeOver(change: Change): UnitChange {
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
