/** Reading a page of a grid through the fetch handler, against bare Hono that answers with the same page as a constant; in memory. */
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyHandler } from '@blockwork/http-fetch';
import { signDevelopmentToken } from '@blockwork/http-koa';
import { Hono } from 'hono';
import { createSecretKey } from 'node:crypto';
import { inTurn, note, number, ratio, report, timePerCall } from './support/measure.mjs';
import { addReadings, gridPolicy, registry } from './support/policy.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const ms = Number(process.env.BENCH_SECONDS ?? 1) * 1000;
const secret = createSecretKey(Buffer.from('a secret of the benchmark, longer than 256 bits, known to everybody'));
const tokens = Array.from({ length: 100 }, (_, at) =>
  signDevelopmentToken(secret, { did: `did:example:user-${at}`, role: 'USER' }),
);

async function blockwork(limits) {
  const engine = createEngine({ logger: silentLogger, limits });
  const { policy } = await engine.importPolicy(registry, gridPolicy);
  await addReadings(engine, policy.id, 10_000);
  return { engine, policyId: policy.id, handle: createPolicyHandler(engine, { auth: { secret } }) };
}

/** What any Hono program pays: routing, a token that was verified before, and the same page as a constant. */
async function bareHono({ engine, policyId }) {
  const verified = new Map(tokens.map((token) => [`Bearer ${token}`, { exp: Date.now() / 1000 + 3600 }]));
  const page = await engine.readBlock(registry, policyId, { tag: 'grid' });
  const app = new Hono();
  for (let at = 0; at < 14; at += 1) app.get(`/api/v1/other/${at}/:id`, (c) => c.json({}));
  app.get('/api/v1/policies/:policyId/tag/:tag/blocks', (c) => {
    const claims = verified.get(c.req.header('authorization'));
    return claims === undefined || claims.exp < Date.now() / 1000 ? c.json({}, 401) : c.json(page);
  });
  return (request) => app.fetch(request);
}

/** Milliseconds for one request with one of the tokens, its answer read to the end. */
const load = (handle, policyId) => () =>
  timePerCall(async (call) => {
    const headers = { authorization: `Bearer ${tokens[call % tokens.length]}` };
    const url = `http://localhost/api/v1/policies/${policyId}/tag/grid/blocks`;
    const response = await handle(new globalThis.Request(url, { headers }));
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    await response.text();
  }, ms);

const served = await blockwork({});
// An answer longer than the limit is never kept: each one is worked out anew.
const anew = await blockwork({ answerCharacters: 1 });
const bare = await bareHono(served);
const subjects = {
  bare: load(bare, served.policyId),
  kept: load(served.handle, served.policyId),
  anew: load(anew.handle, anew.policyId),
};
// Compiles what is hot, and verifies each token once.
for (const run of Object.values(subjects)) await run();
const result = await inTurn(rounds, subjects);
for (const [name, times] of Object.entries(result)) {
  note(`requests a second: ${name}`, times.map((time) => number(1000 / time)).join(' '));
}
// Times, not rates: so the other way round.
report('fetch handler / bare Hono', ratio(result.bare, result.kept), '>= 0.75', (value) => value >= 0.75);
report(
  'fetch handler, worked out anew each time / bare Hono',
  ratio(result.bare, result.anew),
  '>= 0.6',
  (value) => value >= 0.6,
);
await served.engine.close();
await anew.engine.close();
