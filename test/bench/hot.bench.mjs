/** One policy that eight nodes write to at once, against the same clients at one node. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inTurn, median, note, number, ratio, report } from './support/measure.mjs';
import { temporaryDatabase } from './support/postgres-database.mjs';

const address = process.env.BLOCKWORK_TEST_POSTGRES;
if (address === undefined) {
  console.log('Skipped: BLOCKWORK_TEST_POSTGRES does not say where a server is.');
  process.exit(0);
}
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const milliseconds = 1000 * Number(process.env.BENCH_SECONDS ?? 3);
const NODES = 8;
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 32);
const program = fileURLToPath(new URL('support/hot-node.mjs', import.meta.url));

async function startNode(address) {
  const child = fork(program, [address]);
  await once(child, 'message');
  let tasks = 0;
  return (task, argument) =>
    new Promise((resolve) => {
      const own = (tasks += 1);
      const listen = ({ id, answer }) => {
        if (id !== own) return;
        child.off('message', listen);
        resolve(answer);
      };
      child.on('message', listen);
      child.send({ id: own, task, argument });
    });
}

/** So many clients, divided among the nodes, for a while. */
async function load(nodes, policyId) {
  const clients = CLIENTS / nodes.length;
  const began = performance.now();
  const all = await Promise.all(nodes.map((node) => node('send', { policyId, clients, milliseconds })));
  const seconds = (performance.now() - began) / 1000;
  const sum = (read) => all.reduce((total, each) => total + read(each), 0);
  const waits = all.flatMap((each) => each.waits).sort((a, b) => a - b);
  return {
    rate: sum(({ waits, refusals }) => waits.length - refusals.length) / seconds,
    attempts: sum(({ attempts }) => attempts) / sum(({ committed }) => committed),
    refusals: all.flatMap((each) => each.refusals),
    median: median(waits),
    longest: waits.at(-1),
  };
}

const database = await temporaryDatabase(address);
const nodes = [];
try {
  for (let at = 0; at < NODES; at += 1) nodes.push(await startNode(database.address));
  const [first] = nodes;
  const [alone, shared] = [await first('create', 10), await first('create', 10)];
  // Each is warm, and they have met.
  for (const node of nodes) await load([node], alone);
  await load(nodes, shared);
  const result = await inTurn(rounds, { one: () => load([first], alone), eight: () => load(nodes, shared) });
  const of = (name, read) => result[name].map(read);
  const middle = (name, read) => number(median(of(name, read)));
  const rate = (each) => each.rate;
  note('sends a second: one node / eight nodes', `${middle('one', rate)} / ${middle('eight', rate)}`);
  const inWords = (name) => `${middle(name, (each) => each.median)} and ${middle(name, (each) => each.longest)}`;
  note('median and longest wait in ms: one / eight', `${inWords('one')} / ${inWords('eight')}`);
  const refusals = of('eight', (each) => each.refusals).flat();
  note('refusals that clients saw', [refusals.length, ...new Set(refusals)].join(' '));
  const ones = of('one', () => 1);
  report('eight nodes / one node', ratio(of('eight', rate), of('one', rate)), '>= 0.7', (value) => value >= 0.7);
  report(
    'attempts a unit',
    ratio(
      of('eight', (each) => each.attempts),
      ones,
    ),
    '<= 1.5',
    (value) => value <= 1.5,
  );
  report(
    'longest wait / median wait',
    ratio(
      of('eight', (each) => each.longest),
      of('eight', (each) => each.median),
    ),
    '<= 10',
    (value) => value <= 10,
  );
} finally {
  await Promise.all(nodes.map((node) => node('close')));
  await database.drop();
}
