import { MemoryStore, type PolicyStore } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLowdbStore, type LowdbStoreOptions } from '../src/index.js';
import { times } from '../../../test/support/repetitions.js';

const partitions = ['p', 'P', '', '../p'];
const kinds = ['artifact', 'token', 'journal'] as const;
const keys = ['p', 'k', '__proto__'];

const partition = fc.constantFrom(...partitions);
const kind = fc.constantFrom(...kinds);
const ids = ['a', 'c', '__proto__', '', 'é', 'b', 'e\u0301', 'a","n', '\ud800'];
const id = fc.constantFrom(...ids);
// Fits all kinds. The round trip removes negative zeros, which JSON lacks.
const value = fc.record({
  id,
  name: fc.string({ unit: 'binary', maxLength: 5 }),
  n: fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify(json)) as unknown),
});

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant('put'), kind, partition, value }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete'), kind, partition, id }) },
);

/** The expected revision: the current one, or off by one. */
const expectation = fc.record({ key: fc.constantFrom(...keys), off: fc.constantFrom(0, 0, 0, 1, -1) });

type Step =
  | { do: 'commit'; changes: unknown[]; expected: { key: string; off: number }[] }
  | { do: 'together'; count: number }
  | { do: 'reopen' | 'crash' | 'checkpoint' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      changes: fc.array(change, { maxLength: 4 }),
      expected: fc.array(expectation, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('together' as const), count: fc.integer({ min: 2, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('reopen' as const, 'crash' as const, 'checkpoint' as const) }),
  },
);

async function observed(store: PolicyStore): Promise<unknown> {
  const seen: unknown[] = [];
  for (const name of partitions) {
    for (const of of kinds) {
      seen.push(
        await store.find(of, name),
        await store.find(of, name, { order: { path: 'n', direction: 'desc' }, offset: 1, limit: 2 }),
        await store.find(of, name, { order: { path: 'id', direction: 'desc' }, limit: 2 }),
        await store.find(of, name, { offset: 1, limit: 2 }),
        ...(await Promise.all(ids.slice(-4).map((one) => store.get(of, name, one)))),
      );
      seen.push(await store.count(of, name, { path: 'name', op: 'gt', value: '' }));
    }
  }
  for (const key of keys) seen.push(await store.revision(key));
  return seen;
}

const outcome = async (committing: Promise<void>): Promise<unknown> =>
  committing.then(
    () => 'committed',
    (error: unknown) => ({ code: (error as { code?: string }).code, message: (error as Error).message }),
  );

async function follow(steps: readonly Step[], options: Partial<LowdbStoreOptions>): Promise<void> {
  let disk = new SimulatedDisk();
  const open = (): ReturnType<typeof openLowdbStore> =>
    openLowdbStore({ folder: '/store', fileSystem: disk, ...options });
  const memory = new MemoryStore();
  let store = await open();
  const both = async (act: (one: PolicyStore) => Promise<unknown>): Promise<void> =>
    expect(await act(store)).toEqual(await act(memory));
  for (const now of steps) {
    if (now.do === 'commit') {
      const current = await Promise.all(
        now.expected.map(async ({ key, off }) => [key, (await memory.revision(key)) + off] as const),
      );
      const changeSet = { expect: Object.fromEntries(current), changes: now.changes } as ChangeSet;
      await both((one) => outcome(one.commit(changeSet)));
    } else if (now.do === 'together') {
      const revision = await memory.revision('k');
      const changes = (n: number): ChangeSet => ({ expect: { k: revision + (n >> 1) }, changes: [] });
      await both((one) => Promise.all(Array.from({ length: now.count }, (_, n) => outcome(one.commit(changes(n))))));
    } else if (now.do === 'checkpoint') await store.checkpoint();
    else {
      if (now.do === 'reopen') await store.close();
      else disk = disk.afterPowerCut(() => 0);
      store = await open();
    }
    await both(observed);
  }
  await store.close();
}

const variants: Readonly<Record<string, Partial<LowdbStoreOptions>>> = {
  'with explicit checkpoints only': {},
  'with constant checkpoints': { checkpointBytes: 300, segmentBytes: 200 },
};

describe('the file store', { timeout: 600_000 }, () => {
  for (const [name, options] of Object.entries(variants)) {
    it(`answers like the memory store after any history of commits, reopenings and power cuts, ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), (steps) => follow(steps, options)),
        { numRuns: times(25, 120) },
      );
    });
  }
});
