/** The file store: durable updates at several sizes, against bare appends and plain lowdb; opening; checkpoints; memory. */
import { JSONFilePreset } from 'lowdb/node';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurn, median, note, number, rate, ratio, report } from './support/measure.mjs';
import { fill, put, record } from './support/store-records.mjs';

const sizes = [1000, 10_000, 100_000, Number(process.env.BENCH_RECORDS ?? 1_000_000)];
const rounds = Number(process.env.BENCH_ROUNDS ?? 11);
const base = await mkdtemp(join(tmpdir(), 'blockwork-store-'));
const lineBytes = JSON.stringify(put(0)).length + 150;

/** The store of a folder in a process of its own: what the others hold in memory costs it nothing. */
async function inProcess(folder, size) {
  const script = fileURLToPath(new URL('support/store-process.mjs', import.meta.url));
  const child = fork(script, [folder, String(size)], { execArgv: ['--expose-gc'] });
  const [opened] = await once(child, 'message');
  const ask = async (command, args) => {
    child.send({ command, ...args });
    const [{ answer }] = await once(child, 'message');
    return answer;
  };
  const close = async () => {
    child.send({ command: 'close' });
    await once(child, 'exit');
  };
  return { opened, ask, close };
}

const journal = await open(join(base, 'bare'), 'a');
const line = Buffer.alloc(lineBytes, 'x');
const bare = async () => {
  await journal.write(line);
  await journal.datasync();
};

const stores = {};
for (const size of sizes) {
  const folder = join(base, String(size));
  await fill(folder, size);
  stores[size] = await inProcess(folder, size);
  const { ms, processor, bytes } = stores[size].opened;
  note(`${size} records: ms to open, of the processor's time`, `${number(ms)}, ${number(processor)}`);
  note(`${size} records: resident bytes a record`, number(bytes / size));
}
const [smallest, , middle] = sizes;
const largest = sizes.at(-1);
const update = (size, writers, milliseconds) => () => stores[size].ask('rate', { writers, milliseconds });
for (const size of sizes) await update(size, 1, 500)();
const ones = Object.fromEntries(sizes.map((size) => [`one ${size}`, update(size, 1, 300)]));
const results = await inTurn(rounds, { ...ones, bare: () => rate(bare, 1, 300), many: update(middle, 64, 300) });
for (const [name, rates] of Object.entries(results)) note(`updates a second: ${name}`, number(median(rates)));
const checkpoint = await stores[largest].ask('checkpoint', { journalBytes: 16 * 2 ** 20, lineBytes });
for (const size of sizes) await stores[size].close();

const preset = await JSONFilePreset(join(base, 'plain.json'), { records: {} });
for (let at = 0; at < 100_000; at += 1) preset.data.records[at] = record(at);
const plain = async () => {
  const at = Math.floor(Math.random() * 100_000);
  preset.data.records[at] = record(at);
  await preset.write();
};
const lowdb = await inTurn(rounds, { one: () => rate(plain, 1, 1) });
note('updates a second: plain lowdb, 100000 records', number(median(lowdb.one)));
await journal.close();
await rm(base, { recursive: true });

const one = (size) => results[`one ${size}`];
for (const size of sizes.slice(1)) {
  const flat = ratio(one(size), one(smallest));
  report(`one writer at ${size} records / at ${smallest}`, flat, '>= 0.67', (value) => value >= 0.67);
}
report('64 writers / one', ratio(results.many, one(middle)), '>= 10', (value) => value >= 10);
const limit = ratio(one(middle), results.bare);
report('one writer / bare append and fdatasync', limit, '>= 0.5', (value) => value >= 0.5);
const gain = ratio(one(middle), lowdb.one);
report(`one writer / plain lowdb (unsynced) at ${middle} records`, gain, '>= 1000', (value) => value >= 1000);
const { during, without } = checkpoint;
const slowed = ratio([during.rate], [without.rate]);
report(`one writer at ${largest} records during a checkpoint / without`, slowed, '>= 0.67', (value) => value >= 0.67);
note('  seconds that the checkpoint took', number(during.seconds));
note(
  '  longest stall of the event loop in ms, during it / without',
  `${number(during.stall)} / ${number(without.stall)}`,
);
const seconds = ratio([stores[largest].opened.ms / 1000], [1]);
report(`seconds to open ${largest} records`, seconds, '< 10', (value) => value < 10);
