/** Forwards connections from a port of this machine to another address, as if a server had started there. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export async function forwarder(port: number, to: string): Promise<{ close(): Promise<void> }> {
  const { hostname, port: target } = new URL(`tcp://${to}`);
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const onward = connect(Number(target), hostname);
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    from.pipe(onward).pipe(from);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
