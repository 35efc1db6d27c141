/**
 * Vitest setup that notes the processor seconds of each test file, with those of the processes that it starts, as lines of the file that
 * BLOCKWORK_TEST_COSTS names. What vitest itself does, and a database server, is not in them.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

const TICKS_PER_SECOND = 100;
const root = fileURLToPath(new URL('../..', import.meta.url));

const before = secondsOfTree();

// Of all hooks of the file, the one that is declared first runs last.
afterAll(() => {
  const seconds = (secondsOfTree() - before).toFixed(2);
  appendFileSync(
    process.env['BLOCKWORK_TEST_COSTS'] ?? '',
    `${seconds}\t${relative(root, expect.getState().testPath ?? '')}\n`,
  );
});

/** Of this process and of those that descend from it, ended ones included. */
function secondsOfTree(): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name));
  const tree = new Set([process.pid]);
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
}

function statOf(pid: string): { pid: number; parent: number; ticks: number }[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return [
      { pid: Number(pid), parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) },
    ];
  } catch {
    return [];
  }
}
