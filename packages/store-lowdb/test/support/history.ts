/** Random histories of a small store. */
import { MemoryStore, type DocumentRecord, type PolicyStore } from '@blockwork/core';
import type { Change, ChangeSet } from '@blockwork/core/adapter';
import fc from 'fast-check';

export type Step =
  | { readonly do: 'commit'; readonly changes: readonly Change[]; readonly hasKey: boolean }
  | { readonly do: 'together'; readonly commits: readonly (readonly Change[])[] }
  | { readonly do: 'many'; readonly partition: string }
  | { readonly do: 'checkpoint' | 'compact' | 'reopen' };

const partitions = ['p', 'q'];
const types = ['x', 'y', 'z'];
/** The revision key of commits with `hasKey`. */
export const key = 'k';
/** Enough for the store to use an index. */
const manyRecords = 70;

const document = (id: string, type: string, n: number): DocumentRecord => ({
  id,
  policyId: 'p',
  dataType: 'vc-documents',
  type,
  owner: `owner-${n % 3}`,
  option: { n },
  document: {},
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
});

const partition = fc.constantFrom(...partitions);
const id = fc.nat({ max: 9 }).map((n) => `r${n}`);
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ partition, id, type: fc.constantFrom(...types), n: fc.nat({ max: 99 }) })
      .map(({ partition: of, id: one, type, n }) => ({
        op: 'put' as const,
        kind: 'document' as const,
        partition: of,
        value: document(one, type, n),
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ partition, id, content: fc.string({ unit: 'grapheme', maxLength: 8 }) })
      .map(({ partition: of, id: one, content }) => ({
        op: 'put' as const,
        kind: 'artifact' as const,
        partition: of,
        value: { id: one, name: '', extension: '', content },
      })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ partition, id, kind: fc.constantFrom('document' as const, 'artifact' as const) })
      .map(({ partition: of, id: one, kind }) => ({ op: 'delete' as const, kind, partition: of, id: one })),
  },
);
const changes = fc.array(change, { minLength: 1, maxLength: 3 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('commit' as const), changes, hasKey: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      commits: fc.array(changes, { minLength: 2, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('many' as const), partition }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('checkpoint' as const, 'compact' as const, 'reopen' as const) }),
  },
);

export const history = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: 1, maxLength, size: 'max' });

/** The change sets of a step, in order; `revision` is the current one of `key`. */
export function commitsOf(now: Step, revision: number): ChangeSet[] {
  if (now.do === 'commit') return [{ expect: now.hasKey ? { [key]: revision } : {}, changes: now.changes }];
  if (now.do === 'together') return now.commits.map((these) => ({ expect: {}, changes: these }));
  if (now.do !== 'many') return [];
  const all = Array.from({ length: manyRecords }, (_, n): Change => {
    return { op: 'put', kind: 'document', partition: now.partition, value: document(`m${n}`, types[n % 3] ?? '', n) };
  });
  return [{ expect: {}, changes: all }];
}

/** The whole content of the store, as one string. */
export async function stateOf(store: PolicyStore): Promise<string> {
  const state: unknown[] = [await store.revision(key)];
  for (const name of partitions) state.push(await store.find('document', name), await store.find('artifact', name));
  return JSON.stringify(state);
}

/** The first query that an index answers differently than a full scan, if any. */
export async function wrongIndex(store: PolicyStore): Promise<string | undefined> {
  for (const name of partitions) {
    const all = await store.find('document', name);
    // The store scans smaller tables.
    if (all.length < manyRecords) continue;
    for (const value of types) {
      const where = { path: 'type', op: 'eq', value } as const;
      const expected = all.filter((record) => record.type === value);
      const documents = await store.find('document', name, { where });
      const isSame = JSON.stringify(documents) === JSON.stringify(expected);
      if (!isSame || (await store.count('document', name, where)) !== expected.length) return `${name}: type ${value}`;
    }
  }
  return undefined;
}

/** The expected content: a memory store with the same commits. */
export class Expected {
  readonly #memory = new MemoryStore();
  state = '';

  async begin(store: PolicyStore): Promise<void> {
    for (const name of partitions) {
      for (const kind of ['document', 'artifact'] as const) {
        const values = await store.find(kind, name);
        const puts = values.map((value) => ({ op: 'put', kind, partition: name, value }) as Change);
        await this.#memory.commit({ expect: {}, changes: puts });
      }
    }
    for (let n = 0; n < (await store.revision(key)); n++)
      await this.#memory.commit({ expect: { [key]: n }, changes: [] });
    this.state = await stateOf(this.#memory);
  }

  async commit(changeSet: ChangeSet): Promise<void> {
    await this.#memory.commit(changeSet);
    this.state = await stateOf(this.#memory);
  }

  revision(): Promise<number> {
    return this.#memory.revision(key);
  }
}
