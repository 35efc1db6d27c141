/** One server for the HTTP benchmark, in a process of its own: `node server.mjs bare|blockwork|anew|rewritten`. Prints its address and tokens. */
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyServer, signDevelopmentToken } from '@blockwork/http-koa';
import { Router } from '@koa/router';
import Koa from 'koa';
import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import { addReadings, gridPolicy, registry } from './policy.mjs';

const secret = createSecretKey(Buffer.from('a secret of the benchmark, longer than 256 bits, known to everybody'));
const tokens = Array.from({ length: 1000 }, (_, at) =>
  signDevelopmentToken(secret, { did: `did:example:user-${at}`, role: 'USER' }),
);

const kind = process.argv[2];
// An answer longer than the limit is never kept: each one is worked out anew. Nor is a row, which is then written anew, too.
const limits = {
  ...(['anew', 'rewritten'].includes(kind) && { answerCharacters: 1 }),
  ...(kind === 'rewritten' && { rowCharacters: 1 }),
};
const engine = createEngine({ logger: silentLogger, limits });
const { policy } = await engine.importPolicy(registry, gridPolicy);
await addReadings(engine, policy.id, 10_000);
const path = `/api/v1/policies/${policy.id}/tag/grid/blocks`;

process.on('SIGINT', () => process.exit(0));
process.on('message', () => process.send(process.cpuUsage()));

console.log(JSON.stringify({ url: await (kind === 'bare' ? serveBare() : serveBlockwork()), path, tokens }));

async function serveBlockwork() {
  const { url } = await createPolicyServer(engine, { auth: { secret } }).listen({ port: 0 });
  return url;
}

/** What any Koa program pays: routing, a token that was verified before, and the same page as a constant. */
async function serveBare() {
  const verified = new Map(tokens.map((token) => [`Bearer ${token}`, { exp: Date.now() / 1000 + 3600 }]));
  const page = await engine.readBlock(registry, policy.id, { tag: 'grid' });
  const router = new Router();
  for (let at = 0; at < 14; at += 1) router.get(`/api/v1/other/${at}/:id`, (ctx) => (ctx.body = {}));
  router.get('/api/v1/policies/:policyId/tag/:tag/blocks', (ctx) => {
    const claims = verified.get(ctx.headers.authorization);
    if (claims === undefined || claims.exp < Date.now() / 1000) ctx.throw(401);
    ctx.body = page;
  });
  const app = new Koa();
  app.use(router.routes());
  const server = createServer(app.callback());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}
