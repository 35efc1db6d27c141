/**
 * The soak: a server under honest and hostile load for ten minutes, or for `BLOCKWORK_SOAK_SECONDS`. Fails where memory grows by more
 * than a tenth after the first two minutes (or the first half), on any 5xx but a 503 that says when to come back, where an attack was
 * not the one that it is meant to be, where one in a hundred honest reads takes longer than 50 ms, and where honest reads take more
 * than twice as long (p95) as in the quiet tenth of the time at the start, without hostile members. The last two are for an idle
 * machine of two processors: `BLOCKWORK_SOAK_BUSY=1` prints them only.
 */
import { fork } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signDevelopmentToken } from '@blockwork/http-koa';

const seconds = Number(process.env.BLOCKWORK_SOAK_SECONDS ?? 600);
if (!(seconds >= 10)) throw new Error('BLOCKWORK_SOAK_SECONDS must be a number of seconds, 10 or more.');
const warmUp = Math.min(120, seconds / 2);
const quiet = Math.max(3, seconds / 10);
const allowedGrowth = 1.1;
const allowedSlowdown = 2;
const allowedWaitMs = 50;
const isBusy = process.env.BLOCKWORK_SOAK_BUSY === '1';

const folder = await mkdtemp(join(tmpdir(), 'blockwork-soak-'));
const secret = randomBytes(32).toString('base64url');
const token = (did, role = 'USER') => signDevelopmentToken(createSecretKey(Buffer.from(secret)), { did, role });

const child = fork(fileURLToPath(new URL('soak-server.mjs', import.meta.url)), [join(folder, 'store'), secret], {
  execArgv: ['--expose-gc'],
});
const ended = new Promise((resolve) => child.once('exit', resolve));
const reply = () =>
  Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    ended.then((code) => Promise.reject(new Error(`The server ended with ${code}.`))),
  ]);
const { url } = await reply();

const end = Date.now() + seconds * 1000;
const statuses = new Map();
const failures = [];
const waits = [];
const quietWaits = [];
/** When the hostile members begin. */
const attackAt = Date.now() + quiet * 1000;

async function ask(who, path, init = {}) {
  const headers = { authorization: `Bearer ${who}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(`${url}/api/v1${path}`, { ...init, headers });
  const text = await response.text();
  const { status } = response;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const isDeliberate = status === 503 && response.headers.has('retry-after');
  if (status >= 500 && !isDeliberate) failures.push(`${init.method ?? 'GET'} ${path}: ${status} ${text.slice(0, 200)}`);
  return { status, text };
}
const send = (who, path, body) =>
  ask(who, path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

/** Repeats a step until the time is up. */
async function repeat(every, step) {
  for (let n = 0; Date.now() < end; n += 1) {
    await step(n);
    await pause(every);
  }
}

const block = (policy, tag) => `/policies/${policy}/tag/${tag}/blocks`;
const [alice, bob, mallory] = ['alice', 'bob', 'mallory'].map((name) => token(`did:example:${name}`));
const owner = token('did:example:owner', 'STANDARD_REGISTRY');

const honestReads = () =>
  repeat(20, async (n) => {
    const since = performance.now();
    const { status } = await ask(alice, `${block('honest', 'grid')}?page=${n % 50}&itemsPerPage=20`);
    if (status !== 200) failures.push(`An honest read got ${status}.`);
    const wait = performance.now() - since;
    if (Date.now() < attackAt) quietWaits.push(wait);
    else if ((end - Date.now()) / 1000 < seconds - warmUp) waits.push(wait);
  });
const steadyClicks = () => repeat(20, (n) => send(bob, block('honest', 'pages'), { page: n % 40, itemsPerPage: 10 }));
const steadyNotes = () => repeat(10, (n) => send(bob, block('honest', 'note'), { n }));
const steadyJournal = () => repeat(500, (n) => ask(owner, `/policies/honest/journal?pageIndex=${n % 5}&pageSize=50`));

const attacks = [
  (n) => ask(mallory, `${block('honest', 'grid')}?itemsPerPage=1&sortField=x${n}`),
  (n) => ask(mallory, `${block('honest', 'grid')}?itemsPerPage=${n}e9&page=-1`),
  (n) => ask(`not.a.token${n}`, '/policies'),
  (n) => send(mallory, block('honest', 'pages'), '['.repeat(10_000 + n)),
  () => send(mallory, block('honest', 'note'), { n: 'x'.repeat(900_000) }),
  () => send(mallory, block('honest', 'note'), 'x'.repeat(2_000_000)),
  (n) => ask(mallory, `/policies/honest/blocks/${n}%2e%2e%2f`),
  () => ask(mallory, '/policies/honest/journal'),
  () =>
    ask(mallory, `${block('honest', 'grid')}`, { headers: { 'content-encoding': 'br' }, method: 'POST', body: '{}' }),
  () => ask(mallory, '/policies/honest/dry-run', { method: 'PUT' }),
];
const hostileUser = () => repeat(30, (n) => attacks[n % attacks.length](n).catch(ignoreCut));
/** By what came of it. */
const scripts = new Map();
const hostileScripts = (policy) =>
  repeat(100, async (n) => {
    const tag = ['endless', 'greedy', 'talkative'][n % 3];
    const { status, text } = await send(mallory, block(policy, tag), {});
    const outcome = `${tag} ${status} ${JSON.parse(text).error ?? ''}`;
    scripts.set(outcome, (scripts.get(outcome) ?? 0) + 1);
  });

/** Connections that never come to the end of their headers, and subscriptions that nobody reads. */
const { hostname, port } = new URL(url);
const connections = new Map([
  ['slow', 'GET /api/v1/policies HTTP/1.1\r\nHost: soak\r\n'],
  ['deaf', `GET /api/v1/events HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${mallory}\r\n\r\n`],
]);
const hostileConnection = (kind) =>
  repeat(10, async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).write(connections.get(kind));
    socket.once('data', (head) => {
      const status = Number(head.toString().split(' ')[1]);
      if (status !== (kind === 'slow' ? 408 : 200)) failures.push(`A ${kind} connection was answered ${status}.`);
      if (kind === 'deaf') socket.pause();
    });
    const dripping = setInterval(() => kind === 'slow' && socket.write('x'), 1000);
    await Promise.race([closed, pause(Math.max(0, end - Date.now()))]);
    clearInterval(dripping);
    socket.destroy();
  });

/** Uploads that announce all that a body may have and never arrive: each holds its bytes until the request times out. */
const hostileUpload = () =>
  repeat(10, async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const head = `POST /api/v1${block('honest', 'note')} HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${mallory}\r\n`;
    socket.on('error', () => undefined).resume();
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{`);
    await Promise.race([closed, pause(Math.max(0, end - Date.now()))]);
    socket.destroy();
  });
/** Streams without end: each new one beyond the member's share ends the member's oldest. */
const hostileStreams = () =>
  repeat(50, async () => {
    const stream = await fetch(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${mallory}` } });
    if (stream.status !== 200) failures.push(`A stream was answered ${stream.status}.`);
    stream.body?.pipeTo(new globalThis.WritableStream()).catch(ignoreCut);
  });
/** More sends at once than the share of one member. */
const hostileSends = () =>
  repeat(500, async (n) => {
    const many = Array.from({ length: 50 }, () => send(mallory, block('hostile', 'note'), { n }));
    await Promise.all(many);
  });

/** A server may cut a connection whose body is too large. */
function ignoreCut(error) {
  if (!(error instanceof TypeError)) throw error;
}

const samples = [];
const memory = () =>
  repeat(Math.min(5000, (seconds * 1000) / 20), async () => {
    child.send('memory');
    const { memory: bytes, rss } = await reply();
    samples.push({ at: seconds - (end - Date.now()) / 1000, bytes, rss });
  });

const load = [honestReads, steadyClicks, steadyNotes, steadyJournal, memory];
async function attack() {
  await pause(quiet * 1000);
  await Promise.all(hostileMembers());
}
const hostileMembers = () => [
  ...Array.from({ length: 2 }, () => hostileUser()),
  ...['hostile', 'hostile-too'].flatMap((policy) => Array.from({ length: 3 }, () => hostileScripts(policy))),
  ...Array.from({ length: 20 }, () => hostileConnection('slow')),
  ...Array.from({ length: 5 }, () => hostileConnection('deaf')),
  ...Array.from({ length: 60 }, () => hostileUpload()),
  hostileStreams(),
  hostileSends(),
];
await Promise.all([...load, attack].map((run) => run()));
child.send('close');
const { refused } = await reply();
await ended;
await rm(folder, { recursive: true });

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const after = samples.filter(({ at }) => at >= warmUp).map(({ bytes }) => bytes);
const window = Math.max(3, Math.floor(after.length / 5));
const [first, last] = [median(after.slice(0, window)), median(after.slice(-window))];
const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
for (const each of [waits, quietWaits]) each.sort((a, b) => a - b);
const quantile = (share, of = waits) => of[Math.min(of.length - 1, Math.floor(of.length * share))] ?? NaN;
const inMs = (ms) => `${ms.toFixed(1)} ms`;
const counts = (map) =>
  [...map]
    .sort()
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');

console.log(`answers by status: ${counts(statuses)}`);
console.log(`scripts: ${counts(scripts)}`);
for (const outcome of scripts.keys())
  if (!/ 422 SCRIPT_FAILED$| 503 /.test(outcome)) failures.push(`A hostile script ended with "${outcome}".`);
console.log(
  `honest reads: ${waits.length}, median ${inMs(quantile(0.5))}, p99 ${inMs(quantile(0.99))} (on an idle machine: below ${allowedWaitMs} ms)`,
);
const [quietP95, p95] = [quantile(0.95, quietWaits), quantile(0.95)];
console.log(
  `p95 of honest reads: ${inMs(quietP95)} while it is quiet, ${inMs(p95)} beside hostile members (on an idle machine: below ${allowedSlowdown} times)`,
);
if (!isBusy && !(p95 < allowedSlowdown * quietP95))
  failures.push(`Hostile members slow honest reads from ${inMs(quietP95)} to ${inMs(p95)} (p95).`);
if (!isBusy && !(quantile(0.99) < allowedWaitMs)) failures.push(`An honest read waits ${inMs(quantile(0.99))} (p99).`);
console.log(`messages of peers that were refused: ${counts(Object.entries(refused))}`);
for (const reason of ['malformed', 'forged', 'replayed', 'excessive'])
  if (!(refused[reason] > 0)) failures.push(`No message of a peer was refused as ${reason}.`);
console.log(
  `memory after collection: ${mebibytes(first)} after the warm-up, ${mebibytes(last)} at the end (${(last / first).toFixed(3)}); resident ${mebibytes(samples.at(-1)?.rss ?? NaN)}`,
);
const shown = samples.filter((_, at) => at % Math.ceil(samples.length / 12) === 0);
console.log(
  `memory in MiB after seconds: ${shown.map(({ at, bytes }) => `${at.toFixed(0)}: ${(bytes / 2 ** 20).toFixed(1)}`).join(', ')}`,
);
if (!(last <= first * allowedGrowth)) failures.push(`Memory has grown from ${mebibytes(first)} to ${mebibytes(last)}.`);
for (const failure of failures.slice(0, 20)) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
