/** A Unix socket that proves its process is alive, even across container boundaries. */
import { connect, createServer, type Server } from 'node:net';
import { codeOf } from '../files/failures.js';

/** Socket addresses of this length work on every system. */
const maxPathLength = 100;

export class LivenessSocket {
  readonly #server: Server | undefined;

  private constructor(server?: Server) {
    this.#server = server;
  }

  /** Resolves to a no-op socket where the file system does not support sockets. */
  static async listen(path: string): Promise<LivenessSocket> {
    if (path.length > maxPathLength) return new LivenessSocket();
    const server = createServer((client) => client.destroy());
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(path, () => resolve(true));
    });
    server.unref();
    return new LivenessSocket(isListening ? server : undefined);
  }

  /** The kernel refuses connections to a socket whose process has ended. */
  static probe(path: string): Promise<'alive' | 'gone' | 'unknown'> {
    if (path.length > maxPathLength) return Promise.resolve('unknown');
    return new Promise((resolve) => {
      const client = connect(path);
      client.once('connect', () => {
        client.destroy();
        resolve('alive');
      });
      client.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED' ? 'gone' : 'unknown'));
    });
  }

  /** Also removes the socket file. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#server === undefined) resolve();
      else this.#server.close(() => resolve());
    });
  }
}
