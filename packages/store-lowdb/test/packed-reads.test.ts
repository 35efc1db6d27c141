/** Packed records that are read and changed concurrently. */
import { MemoryStore, type PolicyStore } from '@blockwork/core';
import type { Change, ChangeSet, RecordQuery } from '@blockwork/core/adapter';
import { SimulatedDisk } from '@blockwork/testing';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLowdbStore } from '../src/index.js';

const count = 6_000;
const partition = 'policy';
const nasty = ['', '"', '\\', 'é', 'e\u0301', '\ud800', '\0', '__proto__', 'r1","owner', 'r1"'];
const idAt = (at: number): string => nasty[at] ?? `r${at}`;

/** The id is not always the first member, and nested members have ids too. */
function documentAt(at: number, n = 0): object {
  const id = idAt(at);
  const rest = { owner: `o${(at + n) % 7}`, n, document: { id: 'r2', owner: 'nobody', text: '\\"id":"r3"\n\u2028' } };
  return at % 2 === 0 ? { id, ...rest } : { ...rest, id };
}

const put = (value: object): Change => ({ op: 'put', kind: 'document', partition, value }) as unknown as Change;
const of = (changes: readonly Change[]): ChangeSet => ({ expect: {}, changes });

const queries: readonly RecordQuery[] = [
  { where: { path: 'owner', op: 'eq', value: 'o3' } },
  { where: { path: 'owner', op: 'in', value: ['o1', 'o2'] }, order: { path: 'n', direction: 'desc' }, limit: 50 },
  { order: { path: 'id', direction: 'asc' }, offset: 3, limit: 50 },
  { where: { path: 'document.owner', op: 'ne', value: 'nobody' } },
  { where: { path: 'id', op: 'in', value: nasty } },
];

/** Many commits with changes throughout the table, and turns of the event loop in between. */
async function change(store: PolicyStore): Promise<void> {
  for (let n = 1; n <= 300; n += 1) {
    const at = (n * 37) % (count + 200);
    const change: Change =
      n % 3 === 0 ? { op: 'delete', kind: 'document', partition, id: idAt(at) } : put(documentAt(at, n));
    await store.commit(of([change]));
    if (n % 10 === 0) await setImmediate();
  }
}

describe('a store that was opened', { timeout: 600_000 }, () => {
  it('reads like the memory store while records change, indexes are built and checkpoints run', async () => {
    const disk = new SimulatedDisk();
    const open = () => openLowdbStore({ folder: '/store', fileSystem: disk, partBytes: 8_192 });
    const memory = new MemoryStore();
    let store = await open();
    const initial = Array.from({ length: count }, (_, at) => put(documentAt(at)));
    for (const one of [store, memory]) await one.commit(of(initial));
    for (let round = 0; round < 2; round += 1) {
      await store.close();
      store = await open();
      const answers = queries.map((query) => store.find('document', partition, query));
      const before = Promise.all(nasty.map((id) => store.get('document', partition, id)));
      expect(await before).toEqual(await Promise.all(nasty.map((id) => memory.get('document', partition, id))));
      const checkpoint = store.checkpoint();
      await Promise.all([change(store), change(memory), checkpoint]);
      await Promise.all(answers);
      await store.checkpoint();
      for (const query of queries)
        expect(await store.find('document', partition, query)).toEqual(await memory.find('document', partition, query));
      for (let at = 0; at < count + 200; at += 1)
        expect(await store.get('document', partition, idAt(at))).toEqual(
          await memory.get('document', partition, idAt(at)),
        );
      expect(await store.count('document', partition)).toBe(await memory.count('document', partition));
    }
    await store.close();
  });

  it('has each record of a hand-edited file once, with its last value, even after reopening', async () => {
    const disk = new SimulatedDisk();
    const open = () => openLowdbStore({ folder: '/store', fileSystem: disk });
    let store = await open();
    await store.commit(of([put({ id: 'a', n: 1 }), put({ id: 'b' }), put({ id: 'c' })]));
    await store.close();
    const [name = ''] = (await disk.list('/store/snapshots')).filter((file) => file.includes('document'));
    const path = `/store/snapshots/${name}`;
    const text = ((await disk.read(path)) ?? Buffer.alloc(0)).toString();
    const byHand = text.replace('{"id":"c"}', '{"id":"c"},{"id":"a","n":2}').replace(/,\s*"crc32":"\w+"/, '');
    await disk.remove(path);
    const file = await disk.create(path);
    await file.write(Buffer.from(byHand));
    await file.close();
    const expected = [{ id: 'b' }, { id: 'c' }, { id: 'a', n: 2 }];
    for (let round = 0; round < 3; round += 1) {
      store = await open();
      expect(await store.find('document', partition)).toEqual(expected);
      expect(await store.get('document', partition, 'a')).toEqual({ id: 'a', n: 2 });
      const other = { id: `other ${round}` };
      await store.commit(of([put(other)]));
      expected.push(other);
      await store.close();
    }
  });
});
