/** Importing published policies, against unzipping and parsing them and doing nothing else. */
import { createEngine } from '@blockwork/core';
import { unzipSync } from 'fflate';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';

const folder = process.env.BLOCKWORK_REAL_POLICIES;
if (!folder) {
  console.log('Skipped: BLOCKWORK_REAL_POLICIES names no folder of policies.');
  process.exit(0);
}
const names = (await readdir(folder)).filter((name) => name.endsWith('.policy'));
const files = await Promise.all(names.map(async (name) => new Uint8Array(await readFile(join(folder, name)))));
const decoder = new TextDecoder();

const parse = () => {
  for (const file of files) {
    for (const [name, bytes] of Object.entries(unzipSync(file)))
      if (name.endsWith('.json')) JSON.parse(decoder.decode(bytes));
  }
};
const importAll = async () => {
  const engine = createEngine();
  for (const file of files) await engine.importPolicy(registry, file);
  await engine.close();
};
const timed = (action) => async () => {
  const began = performance.now();
  for (let pass = 0; pass < 5; pass += 1) await action();
  return (performance.now() - began) / 5;
};

await inTurn(3, { parse: timed(parse), importAll: timed(importAll) });
const result = await inTurn(9, { parse: timed(parse), importAll: timed(importAll) });
note(
  `${files.length} policies, in ms: unzip and parse / import`,
  `${number(Math.min(...result.parse))} / ${number(Math.min(...result.importAll))}`,
);
report(
  'import of real policies / unzip + JSON.parse',
  ratio(result.importAll, result.parse),
  '<= 4',
  (value) => value <= 4,
);
