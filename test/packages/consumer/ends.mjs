/** Serves one request and closes everything: nothing may then keep the process from ending. */
import { createEngine } from '@blockwork/core';
import { createPolicyServer } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';

const engine = createEngine({ store: await openLowdbStore({ folder: './data' }) });
const server = createPolicyServer(engine, { auth: { secret: new Uint8Array(32) } });
const { url } = await server.listen({ port: 0 });
console.log((await fetch(`${url}/healthz`)).status);
await server.close();
await engine.close();
