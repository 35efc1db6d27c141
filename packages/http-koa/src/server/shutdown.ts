/** Graceful shutdown: no new connections, idle ones closed, requests in progress completed within a limit. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const IDLE_CHECK_MS = 20;

/** Returns the function that closes the server. After `closeTimeout` milliseconds it cuts the remaining connections. */
export function shutdownOf(server: Server, closeTimeout: number): () => Promise<void> {
  const closeUnused = trackUnused(server);
  return () => {
    if (!server.listening) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const cut = setTimeout(() => server.closeAllConnections(), closeTimeout);
      // A stream has told its client that the connection stays open, which then is idle only once the stream has ended.
      const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      server.close((error) => {
        clearTimeout(cut);
        clearInterval(closeIdle);
        if (error === undefined) resolve();
        else reject(error);
      });
      closeUnused();
    });
  };
}

/** Node does not count a connection without a first request as idle, and would wait for it. */
function trackUnused(server: Server): () => void {
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
