/** How the threads of scripts share the processors with the event loop. */
import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ThreadPool } from '../src/index.js';

/** The priorities of all threads of this process; a higher number yields to a lower one. */
async function prioritiesOfThreads(): Promise<number[]> {
  const threads = await readdir('/proc/self/task');
  const stats = await Promise.all(
    // A thread may end between the two reads.
    threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => '')),
  );
  // Behind the name, which may hold blanks, the priority is the 17th member.
  return stats.filter((stat) => stat !== '').map((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]));
}

it.runIf(process.platform === 'linux')('a script that never ends yields the processor to the event loop', async () => {
  const own = getPriority();
  const threads = new ThreadPool({ size: 1 });
  onTestFinished(() => threads.close());
  const limits = { milliseconds: 3_600_000, memory: 2 ** 26, stack: 2 ** 17, argumentLength: 1e6, resultLength: 1e6 };

  const script = threads.run('p', 'script', { expression: 'for (;;) {}', code: '', args: {}, limits }, 3_600_000);
  script.catch(() => undefined);

  const lowered = Math.min(19, own + 3);
  await vi.waitFor(async () => expect(await prioritiesOfThreads()).toContain(lowered), { timeout: 60_000 });
  expect(getPriority()).toBe(own);
});
