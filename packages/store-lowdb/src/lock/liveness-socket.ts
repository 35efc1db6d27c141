/** A Unix socket that proves its process is alive, even across container boundaries. */
import { open, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../files/failures.js';

/** Socket addresses of this length work on every system. */
const maxPathLength = 100;

/** A path that is short enough for a socket address. */
interface Address {
  readonly path: string;
  /** Must stay open while the address is used. */
  readonly folder?: FileHandle;
}

export class LivenessSocket {
  readonly #server: Server | undefined;
  readonly #folder: FileHandle | undefined;

  private constructor(server?: Server, folder?: FileHandle) {
    this.#server = server;
    this.#folder = folder;
  }

  /** Resolves to a no-op socket where the file system does not support sockets. */
  static async listen(path: string): Promise<LivenessSocket> {
    const address = await addressOf(path);
    if (address === undefined) return new LivenessSocket();
    const server = createServer((client) => client.destroy());
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(address.path, () => resolve(true));
    });
    server.unref();
    if (isListening) return new LivenessSocket(server, address.folder);
    await address.folder?.close();
    return new LivenessSocket();
  }

  /** The kernel refuses connections to a socket whose process has ended. */
  static async probe(path: string): Promise<'alive' | 'gone' | 'unknown'> {
    const address = await addressOf(path);
    if (address === undefined) return 'unknown';
    try {
      return await answerOf(address.path);
    } finally {
      await address.folder?.close();
    }
  }

  /** Also removes the socket file. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#server === undefined) resolve();
      else this.#server.close(() => resolve());
    });
    await this.#folder?.close();
  }
}

const answerOf = (path: string): Promise<'alive' | 'gone' | 'unknown'> =>
  new Promise((resolve) => {
    const client = connect(path);
    client.once('connect', () => {
      client.destroy();
      resolve('alive');
    });
    client.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED' ? 'gone' : 'unknown'));
  });

/** Linux reaches any folder by a short path once it is open; elsewhere, a long path has no address. */
async function addressOf(path: string): Promise<Address | undefined> {
  if (path.length <= maxPathLength) return { path };
  if (process.platform !== 'linux') return undefined;
  const folder = await open(dirname(path)).catch(() => undefined);
  return folder && { path: join('/proc/self/fd', String(folder.fd), basename(path)), folder };
}
