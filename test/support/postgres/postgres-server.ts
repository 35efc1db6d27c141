/** A server to test against: the one that `BLOCKWORK_TEST_POSTGRES` names, or one started for the test, or the reason why there is none. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { freePort } from '../../../scripts/packages/free-port.mjs';

export type PostgresServer = { readonly address: string } | { readonly missing: string };

/** Call it at the top of a test file: a server that it starts is ended after the file's tests. */
export async function postgresServer(): Promise<PostgresServer> {
  const address = process.env['BLOCKWORK_TEST_POSTGRES'];
  if (address !== undefined && address !== '') return { address };
  const started = await startServer();
  if ('missing' in started) return started;
  afterAll(started.end);
  return { address: started.address };
}

export interface StartedServer {
  readonly address: string;
  readonly end: () => Promise<void>;
}

export interface ServerSettings {
  /** Asked of everybody who connects; nobody is asked when absent. */
  readonly password?: string;
  /** PEM texts. No TLS when absent. */
  readonly tls?: { readonly key: string; readonly certificate: string };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** A server of its own, on a free port and in a new folder. */
export async function startServer(
  settings: ServerSettings = {},
): Promise<StartedServer | { readonly missing: string }> {
  const installed = await serverPrograms();
  if ('missing' in installed) return installed;
  const { programs, user } = installed;
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-postgres-'));
  if (user !== 'self') await chown(folder, user.uid, user.gid);
  const as = { cwd: folder, ...(user !== 'self' && user) };
  const data = join(folder, 'data');
  await promisify(execFile)(join(programs, 'initdb'), await initdbArguments(folder, data, user, settings), as);
  const port = await freePort();
  const configured = { listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' };
  const flags = Object.entries({ ...configured, ...(await tlsSettings(folder, user, settings)) }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  );
  const postgres = ['-D', data, '-p', String(port), ...flags];
  const child = spawn(join(programs, 'postgres'), postgres, { ...as, stdio: 'ignore' });
  const secret = settings.password === undefined ? '' : `:${encodeURIComponent(settings.password)}`;
  const address = `postgres://postgres${secret}@127.0.0.1:${port}/postgres`;
  await answering(address, child);
  const end = async (): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.kill('SIGINT')) await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { address, end };
}

export interface ServerPrograms {
  readonly programs: string;
  /** Whom servers run as. */
  readonly user: User | 'self';
}

/** The programs to start servers with, or the reason why that is not possible. */
export async function serverPrograms(): Promise<ServerPrograms | { readonly missing: string }> {
  const programs = await programsFolder();
  if (programs === null) return { missing: 'initdb and postgres are not installed' };
  const user = await unprivileged();
  if (user === null) return { missing: 'PostgreSQL does not run as root, and there is no other user to run it as' };
  return { programs, user };
}

async function initdbArguments(
  folder: string,
  data: string,
  user: User | 'self',
  { password }: ServerSettings,
): Promise<string[]> {
  const usual = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-N'];
  if (password === undefined) return [...usual, '-A', 'trust'];
  return [...usual, '-A', 'scram-sha-256', '--pwfile', await privateFile(join(folder, 'password'), password, user)];
}

async function tlsSettings(
  folder: string,
  user: User | 'self',
  { tls }: ServerSettings,
): Promise<Readonly<Record<string, string>>> {
  if (tls === undefined) return {};
  const certificate = await privateFile(join(folder, 'server.crt'), tls.certificate, user);
  return {
    ssl: 'on',
    ssl_cert_file: certificate,
    ssl_key_file: await privateFile(join(folder, 'server.key'), tls.key, user),
  };
}

async function privateFile(path: string, content: string, user: User | 'self'): Promise<string> {
  await writeFile(path, content, { mode: 0o600 });
  if (user !== 'self') await chown(path, user.uid, user.gid);
  return path;
}

/** Where Debian and others put what is in no path. */
async function programsFolder(): Promise<string | null> {
  const base = '/usr/lib/postgresql';
  const versions = await readdir(base).catch((): string[] => []);
  const candidates = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(base, version, 'bin'));
  for (const folder of [...candidates, ...(process.env['PATH'] ?? '').split(':')]) {
    const files = await readdir(folder).catch((): string[] => []);
    if (files.includes('initdb') && files.includes('postgres')) return folder;
  }
  return null;
}

async function unprivileged(): Promise<User | 'self' | null> {
  if (process.getuid?.() !== 0) return 'self';
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return user === undefined ? null : { uid: Number(user[2]), gid: Number(user[3]) };
}

/** Resolves once it can be used; a program that ends before it answers is a failure. */
async function answering(address: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode} before it answered`);
    const client = new Client(address);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
