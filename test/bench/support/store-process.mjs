/** A process of its own that opens a store, says how long that took and what it costs in memory, and does what it is told. */
import { openLowdbStore } from '@blockwork/store-lowdb';
import { watchCheckpoint } from './checkpoint-watch.mjs';
import { rate } from './measure.mjs';
import { put } from './store-records.mjs';

const [folder, size] = [process.argv[2], Number(process.argv[3])];

const resident = () => {
  for (let pass = 0; pass < 4; pass += 1) globalThis.gc();
  return process.memoryUsage().rss;
};

const before = resident();
const began = performance.now();
const used = process.cpuUsage();
const store = await openLowdbStore({ folder });
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(used);
process.send({ ms, processor: (user + system) / 1000, bytes: resident() - before });

const update = () => store.commit(put(Math.floor(Math.random() * size)));
const commands = {
  rate: ({ writers, milliseconds }) => rate(update, writers, milliseconds),
  checkpoint: ({ journalBytes, lineBytes }) => watchCheckpoint(folder, update, journalBytes, lineBytes),
  close: async () => {
    await store.close();
    process.disconnect();
  },
};
process.on('message', async ({ command, ...args }) => {
  const answer = await commands[command](args);
  if (process.connected) process.send({ answer });
});
