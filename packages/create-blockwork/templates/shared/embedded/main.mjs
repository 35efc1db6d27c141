/** Serves until it is asked to stop: `node main.mjs`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from './app.mjs';
import { openRegistry } from './registry.mjs';
import { openUsers } from './users.mjs';

const {
  BLOCKWORK_DATA: folder = '.blockwork',
  BLOCKWORK_HOST: host = '127.0.0.1',
  BLOCKWORK_PORT: port = '3000',
} = process.env;

const engine = await openRegistry(folder);
const users = await openUsers(folder);
const server = createServer(createApp(engine, users)).listen(Number(port), host);
await once(server, 'listening');
console.log(
  `http://${host}:${server.address().port} (the keys of ${[...users.keys.keys()].join(', ')} are in ${folder})`,
);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    server.close();
    server.closeIdleConnections();
    // Finishes what it has begun, and flushes the store.
    await engine.close();
    process.exit(0);
  });
}
