/** What a checkpoint in the background does to a single writer, and to the event loop. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The number of the last commit that the snapshots hold, from the first line of the manifest. */
async function upToOf(folder) {
  const file = await open(join(folder, 'store.json'));
  const { buffer } = await file.read(Buffer.alloc(100), 0, 100, 0);
  await file.close();
  return Number(/"upTo":(\d+)/.exec(buffer.toString())?.[1]);
}

/** Updates a second, and the longest stall in milliseconds, while `isOver` does not say that it is. */
async function measured(update, isOver) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  let done = 0;
  for (let last = began; ; done += 1) {
    await update();
    if (performance.now() - last < 200) continue;
    last = performance.now();
    if (await isOver(last - began)) break;
  }
  delay.disable();
  return {
    rate: done / ((performance.now() - began) / 1000),
    stall: delay.max / 1e6,
    seconds: (performance.now() - began) / 1000,
  };
}

/**
 * Lets 64 writers write until the journal is so long that a checkpoint begins, which every part of the store needs; then
 * measures one writer until it has ended, and as long again without one.
 */
export async function watchCheckpoint(folder, update, journalBytes, bytesOfUpdate) {
  const before = await upToOf(folder);
  let left = Math.ceil((1.05 * journalBytes) / bytesOfUpdate);
  const write = async () => {
    while (left-- > 0) await update();
  };
  await Promise.all(Array.from({ length: 64 }, write));
  const during = await measured(update, async (ms) => (await upToOf(folder)) !== before || ms > 120_000);
  const without = await measured(update, async (ms) => ms > Math.min(10_000, 1000 * during.seconds));
  return { during, without };
}
