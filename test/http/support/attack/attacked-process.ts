/** A server as a process of its own, over a folder of data: `node attacked-process.mjs FOLDER SECRET`. Stops when it is told to. */
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, silentLogger } from '@blockwork/core';
import { createPolicyServer } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';

const [folder = '', secret = ''] = process.argv.slice(2);
const store = await openLowdbStore({ folder });
const engine = createEngine({
  store,
  blocks: standardBlocks({ scripts: { milliseconds: 500 } }),
  logger: silentLogger,
});
const auth = { secret: createSecretKey(Buffer.from(secret)) };
const server = createPolicyServer(engine, { auth, logger: silentLogger });
const { url } = await server.listen({ port: 0 });
process.send?.(url);
await once(process, 'message');
await server.close();
await engine.close();
process.disconnect();
