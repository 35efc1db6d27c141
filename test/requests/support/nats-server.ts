/** A server with JetStream to test against: the one that runs on this machine, one that is started for the test, or the reason why there is none. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';

export type NatsServer = { readonly address: string } | { readonly missing: string };

const usual = process.env['BLOCKWORK_NATS'] ?? '127.0.0.1:4222';
/** Of the one that is started here. */
const own = '127.0.0.1:14222';

/** Call it at the top of a test file: what it starts is ended after the file's tests. */
export async function natsServer(): Promise<NatsServer> {
  if (await hasJetStream(usual)) return { address: usual };
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-nats-'));
  const [host = '', port = ''] = own.split(':');
  const child = spawn('nats-server', ['-a', host, '-p', port, '-js', '-sd', folder], { stdio: 'ignore' });
  const failures: Error[] = [];
  child.once('error', (error) => failures.push(error));
  afterAll(async () => {
    child.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
  for (let attempt = 0; attempt < 60 && failures.length === 0; attempt += 1) {
    if (await hasJetStream(own)) return { address: own };
    await sleep(50);
  }
  return { missing: `no NATS server with JetStream at ${usual}, and no nats-server that could be started` };
}

export async function removeStream(servers: string, stream: string): Promise<void> {
  const connection = await connect({ servers });
  try {
    await (await jetstreamManager(connection)).streams.delete(stream);
  } finally {
    await connection.close();
  }
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
