/**
 * The soak: a server under honest and hostile load for ten minutes, or for `BLOCKWORK_SOAK_SECONDS`. Fails where memory grows by more
 * than a tenth after the first two minutes (or the first half), on any 5xx but a 503 that says when to come back, where an attack was
 * not the one that it is meant to be, where one in a hundred honest reads takes longer than 50 ms, and where honest reads take more
 * than twice as long (p95) as in the quiet tenth of the time at the start, without hostile members. The last two are for an idle
 * machine of two processors: `BLOCKWORK_SOAK_BUSY=1` prints them only.
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { block, openClient } from './client.mjs';

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
const { statuses, failures, ask, send, repeat, token } = openClient({ url, secret, end });
const waits = [];
const quietWaits = [];
/** When the hostile members begin. */
const attackAt = Date.now() + quiet * 1000;

const [alice, bob] = ['alice', 'bob'].map((name) => token(`did:example:${name}`));
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

const samples = [];
const memory = () =>
  repeat(Math.min(5000, (seconds * 1000) / 20), async () => {
    child.send('memory');
    const { memory: bytes, rss } = await reply();
    samples.push({ at: seconds - (end - Date.now()) / 1000, bytes, rss });
  });

const load = [honestReads, steadyClicks, steadyNotes, steadyJournal, memory];
/**
 * Hostile members have machines of their own elsewhere. Here they get what the server and the honest members leave of the processors:
 * on Linux, in the scheduling class for that.
 */
function idleClass() {
  const hasClass = spawnSync('chrt', ['--idle', '0', 'true']).status === 0;
  return hasClass ? { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] } : {};
}

/** What the hostile members tell of themselves in the end. */
async function attack() {
  await pause(quiet * 1000);
  const args = [JSON.stringify({ url, secret, end })];
  const members = fork(fileURLToPath(new URL('hostile.mjs', import.meta.url)), args, idleClass());
  const gone = once(members, 'exit').then(([code]) =>
    Promise.reject(new Error(`The hostile members ended with ${code}.`)),
  );
  const [told] = await Promise.race([once(members, 'message'), gone]);
  failures.push(...told.failures);
  return told;
}
const [hostile] = await Promise.all([attack, ...load].map((run) => run()));
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

console.log(`answers to honest members: ${counts(statuses)}`);
console.log(`answers to hostile members: ${counts(hostile.statuses)}`);
console.log(`scripts: ${counts(hostile.scripts)}`);
for (const [outcome] of hostile.scripts)
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
