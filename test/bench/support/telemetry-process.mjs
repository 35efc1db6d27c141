/**
 * One engine for the benchmark of telemetry, in a process of its own: `node telemetry-process.mjs [without|anew]`. Measures when it is told to,
 * and is watched in the way that it is told: one process after the other differs by more than what is measured. It serves the engine
 * over a socket as well, and then says how much processor time it took.
 */
import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

// As if core had no channels: what asks for listeners becomes a constant.
const blind = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/core/dist/telemetry/channels.js')) return loaded;
  const source = String(loaded.source).replace('get isHeard() {', 'get isHeard() { return false;');
  if (source === String(loaded.source)) throw new Error('channels.js has no isHeard.');
  return { ...loaded, source };
}`;
if (process.argv[2] === 'without') register(`data:text/javascript,${encodeURIComponent(blind)}`);

const { channels, createEngine, silentLogger } = await import('@blockwork/core');
const { createPolicyHandler } = await import('@blockwork/http-fetch');
const { createPolicyServer, signDevelopmentToken } = await import('@blockwork/http-koa');
const { openLowdbStore } = await import('@blockwork/store-lowdb');
const { addReadings, gridPolicy, registry } = await import('./policy.mjs');
const { spansAlone, telemetryListeners } = await import('./telemetry-listeners.mjs');

const secret = createSecretKey(Buffer.from('a secret of the benchmark, longer than 256 bits, known to everybody'));
const token = signDevelopmentToken(secret, { did: 'did:example:user', role: 'USER' });
const registryToken = signDevelopmentToken(secret, registry);
const folder = await mkdtemp(join(tmpdir(), 'blockwork-bench-'));
// An answer longer than the limit is never kept: each one is worked out anew.
const limits = process.argv[2] === 'anew' ? { answerCharacters: 1 } : {};
const engine = createEngine({ store: await openLowdbStore({ folder }), logger: silentLogger, limits });
const { policy } = await engine.importPolicy(registry, gridPolicy);
await addReadings(engine, policy.id, 1000);
const handle = createPolicyHandler(engine, { auth: { secret } });
const listen = telemetryListeners(engine);

const url = `http://localhost/api/v1/policies/${policy.id}/tag/grid/blocks`;
const headers = { authorization: `Bearer ${token}` };
/** Several at once, as a server has them. */
const AT_ONCE = 16;
const calls = {
  read: async () => {
    const response = await handle(new globalThis.Request(url, { headers }));
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    await response.text();
  },
  // The two operations of a read, with nothing of the engine in them: what is left is the listeners.
  listeners: () => {
    const about = { source: engine.program.telemetrySource, policyId: policy.id, block: 'grid' };
    const http = { ...about, method: 'GET', route: '/policies/{policyId}/tag/{tag}/blocks', requestId: policy.id };
    const read = () => channels.read.trace({ ...about, traceparent: http.traceparent }, () => Promise.resolve());
    return channels.http.trace(http, read);
  },
  send: (call) => engine.sendToBlock(registry, policy.id, { tag: 'pages' }, { itemsPerPage: 10, page: call % 50 }),
};

/** By name, what makes so many calls; or, for `alone`, their spans and nothing else. */
const works = {};
for (const [name, call] of Object.entries(calls)) {
  works[name] = (at = 0) => Promise.all(Array.from({ length: AT_ONCE }, (_, more) => call(at + more)));
  const alone = await spansAlone(engine, works[name]);
  works[`${name} alone`] = () => setImmediate(alone());
}

const server = createPolicyServer(engine, { auth: { secret } });
const { url: origin } = await server.listen({ port: 0 });
let stopServing = () => undefined;
let servedFrom = process.cpuUsage();

process.on('message', (message) => {
  if ('work' in message) void measure(works[message.work], message.ms, message.kind);
  else if ('serve' in message) serve(message.serve);
  else served();
});
process.on('disconnect', () => void close());
process.send({ origin, policyId: policy.id, token, registryToken });

/** Watched in this way from now on. */
function serve(kind) {
  stopServing = listen[kind]();
  servedFrom = process.cpuUsage();
  process.send('serving');
}

/** Says what was taken since. */
function served() {
  const { user, system } = process.cpuUsage(servedFrom);
  stopServing();
  process.send(user + system);
}

async function close() {
  await server.close();
  await engine.close();
  await rm(folder, { recursive: true });
}

/** Processor time: what a disk takes is another matter, and other programs are running. */
async function measure(work, ms, kind) {
  const stop = listen[kind]();
  let made = 0;
  const began = performance.now();
  const before = process.cpuUsage();
  for (; performance.now() - began < ms; made += AT_ONCE) await work(made);
  const { user, system } = process.cpuUsage(before);
  stop();
  process.send((user + system) / made);
}
