/** Cold start of a program on a lowdb store with 1,000 policies, against the same program on an empty one. */
import { createEngine } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';
import { gridPolicy, registry } from './support/policy.mjs';

const policies = Number(process.env.BENCH_POLICIES ?? 1000);
const program = fileURLToPath(new URL('support/open.mjs', import.meta.url));
const base = await mkdtemp(join(tmpdir(), 'blockwork-start-'));
const folders = { empty: join(base, 'empty'), full: join(base, 'full') };

for (const [name, count] of [
  ['empty', 0],
  ['full', policies],
]) {
  const engine = createEngine({ store: await openLowdbStore({ folder: folders[name], durability: 'none' }) });
  for (let at = 0; at < count; at += 1) await engine.importPolicy(registry, gridPolicy);
  await engine.close();
}

const start = (folder) => () => {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - began;
};
const result = await inTurn(5, { empty: start(folders.empty), full: start(folders.full) });
await rm(base, { recursive: true });
note(
  'whole process to the first answer, in ms: empty / full',
  `${number(Math.min(...result.empty))} / ${number(Math.min(...result.full))}`,
);
report(`start with ${policies} policies / with none`, ratio(result.full, result.empty), '<= 4', (value) => value <= 4);
