/** Reading a page of a grid over HTTP, against a bare Koa server that answers with the same page as a constant. */
import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inTurn, note, number, ratio, report } from './support/measure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const program = fileURLToPath(new URL('support/server.mjs', import.meta.url));

async function start(kind) {
  const child = spawn(process.execPath, [program, kind], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, ...JSON.parse(line) };
}

async function cpuOf(child) {
  child.send('cpu');
  const [{ user, system }] = await once(child, 'message');
  return user + system;
}

/** Requests in a second of wall time, and in a second of the server's processor time: the second does not depend on what else runs. */
async function load({ child, url, path, tokens }) {
  const requests = tokens.map((token) => ({ path, headers: { authorization: `Bearer ${token}` } }));
  const run = (duration) => autocannon({ url, connections: 64, duration, requests });
  await run(1);
  const before = await cpuOf(child);
  const result = await run(seconds);
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests failed.`);
  const spent = (await cpuOf(child)) - before;
  return { wall: result.requests.average, cpu: result.requests.total / (spent / 1e6) };
}

const kinds = ['bare', 'blockwork', 'anew', 'rewritten'];
const servers = {};
for (const kind of kinds) servers[kind] = await start(kind);
const result = await inTurn(rounds, Object.fromEntries(kinds.map((kind) => [kind, () => load(servers[kind])])));
for (const { child } of Object.values(servers)) child.kill();

for (const time of ['wall', 'cpu']) {
  const of = (kind) => result[kind].map((each) => each[time]);
  for (const kind of kinds) note(`requests a second of ${time} time: ${kind}`, of(kind).map(number).join(' '));
  const page = `HTTP read of a page / bare Koa (${time})`;
  report(page, ratio(of('blockwork'), of('bare')), '>= 0.75', (value) => value >= 0.75);
  report(`${page}, worked out anew each time`, ratio(of('anew'), of('bare')), '>= 0.75', (value) => value >= 0.75);
  report(`${page}, anew with every row`, ratio(of('rewritten'), of('bare')), '>= 0.6', (value) => value >= 0.6);
}
