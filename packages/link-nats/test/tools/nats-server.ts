/** A server to test against: the one that runs on this machine, or one started for the test, or the reason why there is none. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
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
    return { missing: `no NATS server with JetStream at ${usual}, and no nats-server that could be started` };
  }
  afterAll(started.end);
  return { address: started.address };
}

export interface StartedServer {
  readonly address: string;
  /** Ends the process, keeps what it has stored, and starts another in its place. */
  readonly restart: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** A server of its own, on a free port and a new folder; `null` where `nats-server` is not installed. */
export async function startServer(): Promise<StartedServer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-nats-'));
  const port = String(await freePort());
  const address = `127.0.0.1:${port}`;
  const start = (): ChildProcess =>
    spawn('nats-server', ['-a', '127.0.0.1', '-p', port, '-js', '-sd', folder], { stdio: 'ignore' });
  let child = start();
  const hasFailed = new Promise<boolean>((resolve) => child.once('error', () => resolve(true)));
  const end = async (): Promise<void> => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  const restart = async (): Promise<void> => {
    await ended(child);
    child = start();
    await answering(address);
  };
  if (await Promise.race([answering(address), hasFailed.then(() => false)])) return { address, restart, end };
  await end();
  return null;
}

async function answering(address: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await hasJetStream(address)) return true;
    await sleep(50);
  }
  return false;
}

async function hasJetStream(servers: string): Promise<boolean> {
  try {
    const connection = await connect({ servers, timeout: 500, reconnect: false });
    try {
      await jetstreamManager(connection, { timeout: 1000 });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
