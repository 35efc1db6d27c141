/** Connections on which no request has come in yet: Node does not count them as idle, and would wait for them. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns how to close those that are unused at that moment. */
export function trackUnused(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
