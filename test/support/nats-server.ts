/** A NATS server to test against: the one that runs on this machine, or one started for the test, or the reason why there is none. */
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

export type NatsServer = { readonly address: string } | { readonly missing: string };

const usual = process.env['BLOCKWORK_NATS'] ?? '127.0.0.1:4222';

/** Call it at the top of a test file: a server that it starts is ended after the file's tests. */
export async function natsServer(): Promise<NatsServer> {
  if (await hasJetStream(usual)) return { address: usual };
  const started = await startServer();
  if (started === null) {
    return { missing: `no NATS server with JetStream at ${usual}, and nats-server is not installed` };
  }
  afterAll(started.end);
  return { address: started.address };
}

export interface StartedServer {
  readonly address: string;
  /**
   * Ends the process, keeps what it has stored, and starts another in its place. `between` is called with the folder that it
   * stores its streams in.
   */
  readonly restart: (between?: (folder: string) => Promise<void>) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** A server of its own, on a free port and a new folder; `null` where `nats-server` is not installed. */
export async function startServer(): Promise<StartedServer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-nats-'));
  const first = await spawned(folder, '-1');
  if (first === null) return null;
  let child = first;
  const address = await addressOf(child, folder);
  await answering(child, address);
  const end = async (): Promise<void> => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  const restart = async (between?: (folder: string) => Promise<void>): Promise<void> => {
    await ended(child);
    await between?.(join(folder, 'jetstream'));
    child = (await spawned(folder, new URL(`nats://${address}`).port)) ?? child;
    await answering(child, address);
  };
  return { address, restart, end };
}

/** `null` where the program is not installed. */
async function spawned(folder: string, port: string): Promise<ChildProcess | null> {
  const args = ['-a', '127.0.0.1', '-p', port, '--ports_file_dir', folder, '-js', '-sd', folder];
  const child = spawn('nats-server', args, { stdio: 'ignore' });
  const isStarted = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)]);
  return isStarted ? child : null;
}

/** From the file in which the server says on which port it listens. */
async function addressOf(child: ChildProcess, folder: string): Promise<string> {
  const file = join(folder, `nats-server_${String(child.pid)}.ports`);
  const { nats } = await until(child, async () => JSON.parse(await readFile(file, 'utf8')) as { nats: string[] });
  return new URL(nats[0] ?? '').host;
}

const answering = (child: ChildProcess, address: string): Promise<boolean> =>
  until(child, async () => {
    if (await hasJetStream(address)) return true;
    throw new Error(`The NATS server at ${address} does not answer.`);
  });

/** Looks again for a minute, which is far more than a server needs. Throws where the server has ended. */
async function until<T>(child: ChildProcess, look: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await look();
    } catch (error) {
      if (child.exitCode !== null || attempt === 1200) throw error;
    }
    await sleep(50);
  }
}

async function hasJetStream(servers: string): Promise<boolean> {
  try {
    const connection = await connect({ servers, timeout: 10_000, reconnect: false });
    try {
      await jetstreamManager(connection, { timeout: 10_000 });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** The server's error code for a missing stream. */
const STREAM_UNKNOWN = 10059;

/** What a test has put on a server that others use too; a link that was closed early may not have created it. */
export async function removeStream(servers: string, stream: string): Promise<void> {
  const connection = await connect({ servers });
  try {
    const { streams } = await jetstreamManager(connection);
    await streams.delete(stream).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== STREAM_UNKNOWN) throw error;
    });
  } finally {
    await connection.close();
  }
}
