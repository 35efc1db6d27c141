/** Durable updates of the file store: at several sizes, with one writer and with 64, against bare appends and against plain lowdb. */
import { openLowdbStore } from '@blockwork/store-lowdb';
import { JSONFilePreset } from 'lowdb/node';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';

const sizes = [1000, 10_000, 100_000, Number(process.env.BENCH_RECORDS ?? 1_000_000)];
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const base = await mkdtemp(join(tmpdir(), 'blockwork-store-'));
const partition = 'policy';

const record = (at) => ({
  id: `record-${at}`,
  policyId: partition,
  dataType: 'vc-documents',
  owner: `did:example:owner-${at % 100}`,
  option: { status: at % 3 === 0 ? 'Waiting' : 'Approved' },
  document: { at, text: 'x'.repeat(700) },
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
});
const put = (at) => ({ expect: {}, changes: [{ op: 'put', kind: 'document', partition, value: record(at) }] });

/** Updates a second, over half a second. */
async function rate(update, writers) {
  const began = performance.now();
  let done = 0;
  const write = async () => {
    while (performance.now() - began < 500) {
      await update(Math.floor(Math.random() * 1000));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return done / ((performance.now() - began) / 1000);
}

async function filled(size) {
  const store = await openLowdbStore({ folder: join(base, String(size)) });
  for (let from = 0; from < size; from += 10_000) {
    const changes = Array.from({ length: Math.min(10_000, size - from) }, (_, at) => put(from + at).changes[0]);
    await store.commit({ expect: {}, changes });
  }
  return store;
}

const journal = await open(join(base, 'bare'), 'a');
const line = Buffer.from(`${JSON.stringify(put(0))}\n`);
const bare = async () => {
  await journal.write(line);
  await journal.datasync();
};

const preset = await JSONFilePreset(join(base, 'plain.json'), { records: {} });
for (let at = 0; at < 10_000; at += 1) preset.data.records[at] = record(at);
const plain = async (at) => {
  preset.data.records[at] = record(at);
  await preset.write();
};

const results = {};
for (const size of sizes) {
  const store = await filled(size);
  const update = (at) => store.commit(put(at));
  await rate(update, 1);
  results[size] = await inTurn(rounds, {
    one: () => rate(update, 1),
    many: () => rate(update, 64),
    bare: () => rate(bare, 1),
  });
  note(
    `${size} records, updates a second: one writer / 64 / bare append`,
    ['one', 'many', 'bare'].map((key) => number(Math.max(...results[size][key]))).join(' / '),
  );
  await store.close();
  const began = performance.now();
  const again = await openLowdbStore({ folder: join(base, String(size)) });
  note(`${size} records, ms to open`, number(performance.now() - began));
  await again.close();
}
const lowdb = await inTurn(rounds, { one: () => rate(plain, 1) });
await journal.close();
await rm(base, { recursive: true });

const [smallest, , middle = smallest] = sizes;
const largest = sizes.at(-1);
report(
  `one writer at ${largest} records / at ${smallest}`,
  ratio(results[largest].one, results[smallest].one),
  '>= 0.67',
  (value) => value >= 0.67,
);
report('64 writers / one', ratio(results[middle].many, results[middle].one), '>= 10', (value) => value >= 10);
report(
  'one writer / bare append and fdatasync',
  ratio(results[middle].one, results[middle].bare),
  '>= 0.5',
  (value) => value >= 0.5,
);
report(
  'one writer / plain lowdb (unsynced) at 10,000 records',
  ratio(results[10_000].one, lowdb.one),
  '>= 50',
  (value) => value >= 50,
);
