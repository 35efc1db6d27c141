/** A socket beside a claim that answers for as long as its process lives, also across the walls of containers. */
import { connect, createServer, type Server } from 'node:net';
import { codeOf } from '../files/failures.js';

/** What the addresses of such sockets can hold on every system. */
const longestPath = 100;

export interface Beacon {
  end(): Promise<void>;
}

/** Not every file system can hold one; then there is none, and what it would have told stays unknown. */
export async function lightBeacon(path: string): Promise<Beacon> {
  if (path.length > longestPath) return { end: async () => undefined };
  const server = createServer((visitor) => visitor.destroy());
  const isLit = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(path, () => resolve(true));
  });
  server.unref();
  return { end: async () => (isLit ? endOf(server) : undefined) };
}

/** Closing a server also removes its socket. */
const endOf = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** The kernel refuses to connect to the socket of a process that has ended. */
export function visitBeacon(path: string): Promise<'alive' | 'gone' | 'unknown'> {
  if (path.length > longestPath) return Promise.resolve('unknown');
  return new Promise((resolve) => {
    const visit = connect(path);
    visit.once('connect', () => {
      visit.destroy();
      resolve('alive');
    });
    visit.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED' ? 'gone' : 'unknown'));
  });
}
