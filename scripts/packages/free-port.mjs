/** A port of this machine for a program that is told its port before it starts. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Resolves to a port of 127.0.0.1 that was free just now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
