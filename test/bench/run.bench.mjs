/** Policies at work: chains of blocks in memory and on files, a whole scenario, the start of a large policy, the price of one hop. */
import { createEngine, MemoryStore, SeededKeys } from '@blockwork/core';
import { cloneJson } from '@blockwork/core/records';
import { standardBlocks } from '@blockwork/blocks';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openScenarioWorld, runScenario } from '@blockwork/explorer';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chainBlocks, chainPolicy, largePolicy, passed } from './support/chain.mjs';
import { inTurn, note, number, rate, ratio, report } from './support/measure.mjs';
import { registry } from './support/policy.mjs';
import { realPolicies } from './support/real-policies.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const best = (times) => number(Math.min(...times));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ones = Array.from({ length: rounds }, () => 1);
const document = { owner: 'did:example:user', document: { credentialSubject: [{ site: 'Roof', hours: 12.5 }] } };

/** Milliseconds of one call. */
async function timed(call) {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

async function chain(length, store, stores = true) {
  const engine = createEngine({ store, blocks: chainBlocks });
  const { policy } = await engine.importPolicy(registry, chainPolicy(length, stores));
  return { engine, send: () => engine.sendToBlock(registry, policy.id, { tag: 'block-0' }, document) };
}

/** Sends a second, of one client and of many. */
const one = (send) => rate(send, 1, seconds * 1000);
const many = (send) => rate(send, 32, seconds * 1000);

const folder = await mkdtemp(join(tmpdir(), 'blockwork-run-'));
const inMemory = await chain(10, new MemoryStore());
const onFiles = await chain(10, await openLowdbStore({ folder }));
const short = await chain(1, new MemoryStore());
/** What one client waits for at least: the send in memory, and then the disk, for as many bytes as the journal gets. */
const bare = await open(join(folder, 'bare'), 'w');
const line = Buffer.alloc(2700, 'x');
const append = async () => {
  await bare.write(line);
  await bare.datasync();
};
const sendAndAppend = async () => {
  await inMemory.send();
  await append();
};
const sends = await inTurn(rounds, {
  memory: () => one(inMemory.send),
  manyInMemory: () => many(inMemory.send),
  lowdb: () => one(onFiles.send),
  appended: () => one(append),
  least: () => one(sendAndAppend),
  manyOnFiles: () => many(onFiles.send),
  short: () => one(short.send),
});
await bare.close();
for (const { engine } of [inMemory, onFiles, short]) await engine.close();
await rm(folder, { recursive: true });
note(
  'ten blocks, the last stores a document, sends a second: memory / lowdb',
  `${number(median(sends.memory))} / ${number(median(sends.lowdb))}`,
);
note(
  'bare appends a second, alone / each after a send in memory',
  `${number(median(sends.appended))} / ${number(median(sends.least))}`,
);
note(
  'ten blocks, 32 clients at once: memory / lowdb',
  `${number(median(sends.manyInMemory))} / ${number(median(sends.manyOnFiles))}`,
);
report(
  'sends through ten blocks / through one, memory',
  ratio(sends.memory, sends.short),
  '>= 0.5',
  (value) => value >= 0.5,
);
const onDisk = 'sends through ten blocks, lowdb / memory';
report(`${onDisk}, one client`, ratio(sends.lowdb, sends.memory), '>= 0.2', (value) => value >= 0.2);
report(
  'sends, lowdb / memory and then a bare append, one client',
  ratio(sends.lowdb, sends.least),
  '>= 0.9',
  (value) => value >= 0.9,
);
report(`${onDisk}, 32 clients`, ratio(sends.manyOnFiles, sends.manyInMemory), '>= 0.6', (value) => value >= 0.6);

/** What the hops would cost at least: a function that is waited for, with a copy of the data. */
async function bareHops(length) {
  for (let hop = 0; hop < length; hop += 1) await Promise.resolve(cloneJson(document));
}
passed.count = 0;
const long = await chain(1000, new MemoryStore(), false);
const single = await chain(1, new MemoryStore(), false);
for (let warm = 0; warm < 20; warm += 1) await long.send();
if (passed.count !== 20 * 999) throw new Error(`The event came to ${passed.count / 20} blocks, not to 999.`);
const times = (count, call) => async () => {
  const took = await timed(async () => {
    for (let at = 0; at < count; at += 1) await call();
  });
  return took / count;
};
const hops = await inTurn(rounds, {
  long: times(20, long.send),
  single: times(20, single.send),
  bare: times(20, () => bareHops(999)),
});
for (const { engine } of [long, single]) await engine.close();
const perHop = hops.long.map((took, at) => ((took - hops.single[at]) / 999) * 1000);
note('one event through 1,000 blocks, in ms', best(hops.long));
report('microseconds a hop, nothing stored', ratio(perHop, ones), '< 10', (value) => value < 10);
report(
  'a hop / a function waited for with a copy of the data',
  ratio(
    perHop,
    hops.bare.map((took) => (took / 999) * 1000),
  ),
  '<= 20',
  (value) => value <= 20,
);

const large = largePolicy(1000, 20);
const text = JSON.stringify(large);
note('a policy with 1,000 schemas, megabytes of JSON', number(text.length / 1e6));
const starts = await inTurn(rounds, {
  parse: () => timed(() => JSON.parse(text)),
  ...(await startsOf(large)),
});
note(
  'in ms: parsing its JSON / import / start of the trial',
  [starts.parse, starts.import, starts.dryRun].map(best).join(' / '),
);
report(
  'seconds to start its trial',
  ratio(
    starts.dryRun,
    starts.dryRun.map(() => 1000),
  ),
  '< 1',
  (value) => value < 1,
);
report('import and start / parsing', ratio(starts.both, starts.parse), '<= 30', (value) => value <= 30);

async function startsOf(source) {
  const times = { import: 0, dryRun: 0 };
  const both = async () => {
    const engine = createEngine({
      blocks: standardBlocks(),
      keys: new SeededKeys(),
      policyFileLimits: { entryBytes: 64e6 },
    });
    let policyId = '';
    times.import = await timed(async () => {
      policyId = (await engine.importPolicy(registry, source)).policy.id;
    });
    times.dryRun = await timed(async () => {
      const { isValid, findings } = await engine.lifecycle.dryRun(registry, policyId);
      if (!isValid) throw new Error(JSON.stringify(findings));
    });
    await engine.close();
    return times.import + times.dryRun;
  };
  // One start gives three numbers: the last two are of the same start as the first.
  return { both, import: () => times.import, dryRun: () => times.dryRun };
}

const own = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
await scenario(
  'sunlight',
  json(own('examples/test-a-policy/sunlight.policy.json')),
  json(own('test/scenarios/own/sunlight.json')),
);
const real = realPolicies();
if (real === null) {
  note('iREC, from role to mint', 'skipped: BLOCKWORK_REAL_POLICIES and BLOCKWORK_SCENARIOS are not both set');
} else {
  for (const name of ['irec-1', 'irec-6-search', 'irec-8-1-impact']) {
    const bytes = new Uint8Array(readFileSync(join(real.policies, `${name}.policy`)));
    await scenario(name, bytes, json(join(real.scenarios, `${name}.json`)));
  }
}

/** Import, trial, every step with all that is looked at, from choosing a role to tokens minted. */
async function scenario(name, policy, script) {
  const run = async () => {
    const world = await openScenarioWorld(policy);
    const { failures } = await runScenario(script, world);
    await world.close();
    if (failures.length > 0) throw new Error(`The scenario ${name} fails: ${JSON.stringify(failures[0])}`);
  };
  await run();
  const whole = await inTurn(rounds, { run: () => timed(run) });
  note(
    `${name}, ${script.length} steps from role to mint, in ms`,
    `${best(whole.run)} (median ${number(median(whole.run))})`,
  );
}
