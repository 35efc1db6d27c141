/** Memory that an idle policy keeps, beyond its own JSON: the policy, its schemas and its tokens, parsed; its files as text. */
import { createEngine } from '@blockwork/core';
import { unzipSync } from 'fflate';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { heapUsed, note, number, report } from './support/measure.mjs';
import { gridPolicy, registry } from './support/policy.mjs';

const folder = process.env.BLOCKWORK_REAL_POLICIES;
if (!folder)
  console.log('BLOCKWORK_REAL_POLICIES names no folder of policies: measured with a small policy of our own.');
const names = folder ? (await readdir(folder)).filter((name) => name.endsWith('.policy')) : [];
const sources = folder
  ? await Promise.all(names.map(async (name) => new Uint8Array(await readFile(join(folder, name)))))
  : [gridPolicy];
const copies = Math.ceil(1000 / sources.length);

/** What a program that only wanted the contents would hold. */
function contentsOf(source) {
  if (!(source instanceof Uint8Array)) return JSON.parse(JSON.stringify(source));
  return Object.entries(unzipSync(source))
    .filter(([, bytes]) => bytes.length > 0)
    .map(([name, bytes]) => {
      const text = Buffer.from(bytes).toString();
      return name.startsWith('artifacts/') ? text : JSON.parse(text);
    });
}

async function grownBy(make) {
  await make(sources[0]);
  const retained = [];
  const before = heapUsed();
  for (let copy = 0; copy < copies; copy += 1) for (const source of sources) retained.push(await make(source));
  const grown = (heapUsed() - before) / retained.length / 1024;
  return { kept: retained, grown };
}

const engine = createEngine();
const ours = await grownBy(async (source) => {
  const { policy } = await engine.importPolicy(registry, source);
  await engine.readRoot(registry, policy.id);
  return policy.id;
});
const theirs = await grownBy(contentsOf);

note(
  `KiB a policy, over ${ours.kept.length}: all that it keeps / its JSON`,
  `${number(ours.grown)} / ${number(theirs.grown)}`,
);
const beyond = ours.grown - theirs.grown;
report(
  'KiB of an idle policy beyond its JSON',
  { median: beyond, low: beyond, high: beyond },
  '< 60',
  (value) => value < 60,
);
await engine.close();
