/**
 * Writes sample folders with the built version: `node write.mjs`. Run it once before the format changes, and commit the
 * result, which later versions must open.
 */
import { openLowdbStore } from '@blockwork/store-lowdb';
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const options = { segmentBytes: 900, partBytes: 300 };
const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z') };
const tables = [
  ['policy-1', 'artifact'],
  ['policy-1', 'token'],
  ['Policy 2/ü', 'artifact'],
  ['', 'artifact'],
  ['emptied', 'artifact'],
];
const keys = ['policy-1', 'Policy 2/ü', '__proto__', 'other'];

const artifact = (partition, id, n) => ({
  op: 'put',
  kind: 'artifact',
  partition,
  value: { id, name: `commit ${n}`, extension: '', content: 'äé\u2028\n'.repeat(n % 5) },
});

/** Commit `n` of the history, counted from 0. */
function commitOf(n) {
  const [partition] = tables[[0, 2, 3][n % 3]];
  const changes = [artifact(partition, `r${(n * 5) % 11}`, n)];
  if (n % 4 === 1) changes.push({ op: 'delete', kind: 'artifact', partition, id: `r${(n * 3) % 11}` });
  if (n % 4 === 2) {
    const value = { id: `t${n % 3}`, tokenName: `commit ${n}`, tokenSymbol: '', source: { deep: [[n]] } };
    changes.push({ op: 'put', kind: 'token', partition: 'policy-1', value });
  }
  if (n === 3) changes.push(artifact('emptied', 'a', n));
  if (n === 17) changes.push({ op: 'delete', kind: 'artifact', partition: 'emptied', id: 'a' });
  return { expect: Object.fromEntries([[keys[n % 4], Math.floor(n / 4)]]), changes };
}

async function contentOf(store) {
  const content = { tables: [], revisions: [] };
  for (const [partition, kind] of tables) {
    const records = await store.find(kind, partition).catch((error) => error.code);
    content.tables.push({ partition, kind, records });
  }
  for (const key of keys) content.revisions.push({ key, revision: await store.revision(key) });
  return content;
}

const work = await mkdtemp(join(tmpdir(), 'blockwork-corpus-'));
const folder = join(work, 'store');
const copy = async (name, expected) => {
  const { format } = JSON.parse(await readFile(join(folder, 'store.json'), 'utf8'));
  const target = join(here, `format-${format}-${name}`);
  await rm(target, { recursive: true, force: true });
  await cp(folder, join(target, 'store'), { recursive: true, filter: (path) => path !== join(folder, 'lock') });
  await writeFile(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
};

let store = await openLowdbStore({ folder, clock, ...options });
for (let n = 0; n < 20; n += 1) await store.commit(commitOf(n));
await store.checkpoint();
for (let n = 20; n < 36; n += 1) await store.commit(commitOf(n));
await copy('crashed', await contentOf(store));

const before = await contentOf(store);
await store.commit(commitOf(36));
const journal = join(folder, 'journal');
const last = join(journal, (await readdir(journal)).sort().at(-1));
const whole = await readFile(last);
await truncate(last, whole.length - 20);
await copy('truncated', before);
await writeFile(last, whole);
await store.close();

store = await openLowdbStore({ folder, clock, ...options });
const content = await contentOf(store);
await store.close();
await copy('closed', content);

const snapshots = join(folder, 'snapshots');
const damaged = (await readdir(snapshots)).find((name) => name.startsWith('policy-1.artifact.'));
await truncate(join(snapshots, damaged), 60);
store = await openLowdbStore({ folder, clock, ...options });
await store.commit({ expect: { other: 9 }, changes: [artifact('', 'after the damage', 37)] });
const rest = await contentOf(store);
await store.close();
await copy('damaged', rest);

await rm(folder, { recursive: true });
tables.splice(0, tables.length, ['instance', 'timer']);
const timer = (policyId, tag, due) => ({
  op: 'put',
  kind: 'timer',
  partition: 'instance',
  value: { id: `${policyId}/tick/${tag}`, type: 'tick', policyId, tag, due },
});
store = await openLowdbStore({ folder, clock, ...options });
for (let n = 0; n < 12; n += 1)
  await store.commit({ expect: {}, changes: [timer(`policy-${n % 3}`, `block ${n}`, 1000 - n)] });
await store.checkpoint();
for (const changes of [
  [timer('policy-1', 'block 1', 2000), timer('policy-0', 'new', 3000)],
  [{ op: 'delete', kind: 'timer', partition: 'instance', id: 'policy-2/tick/block 2' }],
])
  await store.commit({ expect: {}, changes });
await copy('timers', await contentOf(store));
await store.close();
const part = (await readdir(snapshots)).find((name) => name.startsWith('instance.timer'));
await truncate(join(snapshots, part), 60);
store = await openLowdbStore({ folder, clock, ...options });
await store.commit({ expect: { other: 0 }, changes: [artifact('', 'after the damage', 37)] });
const withoutTimers = await contentOf(store);
await store.close();
await copy('timers-damaged', withoutTimers);
await rm(work, { recursive: true });
