/** Graceful shutdown: no new connections, idle ones closed, requests in progress completed within a limit. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const IDLE_CHECK_MS = 20;

/** Returns the function that closes the server. After `closeTimeout` milliseconds it cuts the remaining connections. */
export function shutdownOf(server: Server, closeTimeout: number): () => Promise<void> {
  const sockets = trackSockets(server);
  return () => {
    if (!server.listening) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const cut = setTimeout(() => destroyAll(sockets.open), closeTimeout);
      // A stream has told its client that the connection stays open, which then is idle only once the stream has ended.
      const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      server.close((error) => {
        clearTimeout(cut);
        clearInterval(closeIdle);
        if (error === undefined) resolve();
        else reject(error);
      });
      destroyAll(sockets.unused);
    });
  };
}

interface Sockets {
  /** All, including those that have left HTTP, which Node waits for but does not cut. */
  readonly open: ReadonlySet<Socket>;
  /** Without a first request: Node does not count them as idle, and would wait for them. */
  readonly unused: ReadonlySet<Socket>;
}

function trackSockets(server: Server): Sockets {
  const [open, unused] = [new Set<Socket>(), new Set<Socket>()];
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    unused.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      unused.delete(socket);
    });
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return { open, unused };
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
