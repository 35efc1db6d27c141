/** Memory that an idle policy keeps, beyond its own JSON. */
import { createEngine } from '@blockwork/core';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { heapUsed, note, number, report } from './support/measure.mjs';
import { gridPolicy, registry } from './support/policy.mjs';

const folder = process.env.BLOCKWORK_REAL_POLICIES;
const names = folder ? (await readdir(folder)).filter((name) => name.endsWith('.policy')) : [];
if (!folder)
  console.log('BLOCKWORK_REAL_POLICIES names no folder of policies: measured with a small policy of our own.');
const sources = folder
  ? await Promise.all(names.map(async (name) => new Uint8Array(await readFile(join(folder, name)))))
  : [gridPolicy];
const copies = folder ? 20 : 300;

const engine = createEngine({ limits: { openPolicies: 10_000 } });
const policies = [];
for (const source of sources) policies.push((await engine.importPolicy(registry, source)).policy.id);
const before = heapUsed();
let count = 0;
for (let copy = 0; copy < copies; copy += 1) {
  for (const source of sources) {
    const { policy } = await engine.importPolicy(registry, source);
    await engine.readRoot(registry, policy.id);
    count += 1;
  }
}
const grown = (heapUsed() - before) / count / 1024;

let texts = [];
for (const id of policies) texts.push(JSON.stringify((await engine.getPolicy(registry, id)).config));
const parsedBefore = heapUsed();
const parsed = [];
for (let copy = 0; copy < copies; copy += 1) for (const text of texts) parsed.push(JSON.parse(text));
const json = (heapUsed() - parsedBefore) / parsed.length / 1024;

note('KiB a policy: all that it keeps / its configuration, parsed', `${number(grown)} / ${number(json)}`);
const beyond = { median: grown - json, low: grown - json, high: grown - json };
report(`KiB of an idle policy beyond its JSON (${count} policies)`, beyond, '< 60', (value) => value < 60);
await engine.close();
