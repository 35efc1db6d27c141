/** A primary with a standby behind one address, as a load balancer gives it: for failovers, rewinds and restored backups. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../../../scripts/packages/free-port.mjs';
import type { ServerPrograms } from './postgres-server.js';
import { Relay } from './relay.js';

const run = promisify(execFile);

export interface ReplicationOptions {
  /** Whether a commit waits until the standby has it. */
  readonly isSynchronous?: boolean;
}

interface Installation extends ServerPrograms {
  readonly folder: string;
}

/** In the file, where the programs that recover and rewind a server read them too. */
const settings = `
listen_addresses = '127.0.0.1'
fsync = off
wal_keep_size = '256MB'
wal_receiver_timeout = '2s'
wal_sender_timeout = '2s'
wal_retrieve_retry_interval = '100ms'
`;

/** One server: a data folder, a port, and a process while it runs. */
class Server {
  #child: ChildProcess | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly installation: Installation,
  ) {}

  get data(): string {
    return join(this.installation.folder, this.name);
  }

  get address(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async program(name: string, ...args: string[]): Promise<void> {
    const { programs, user, folder } = this.installation;
    await run(join(programs, name), args, { cwd: folder, ...(user !== 'self' && user) });
  }

  async start(): Promise<void> {
    const { programs, user, folder } = this.installation;
    const flags = ['-p', String(this.port), '-c', `unix_socket_directories=${folder}`];
    const as = { cwd: folder, ...(user !== 'self' && user) };
    this.#child = spawn(join(programs, 'postgres'), ['-D', this.data, ...flags], { ...as, stdio: 'ignore' });
    await this.query('select 1', this.#child);
  }

  /** `immediate`: as a crash. */
  async stop(mode: 'immediate' | 'fast'): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT');
    await ended;
  }

  /** Runs a statement, as soon as the server takes connections. */
  async query<Row extends object>(text: string, child = this.#child): Promise<Row[]> {
    for (;;) {
      const client = new Client({ connectionString: this.address, connectionTimeoutMillis: 2000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch (error) {
        if (child?.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end();
      }
    }
  }

  async write(name: string, text: string): Promise<void> {
    const path = join(this.data, name);
    await appendFile(path, text);
    const { user } = this.installation;
    if (user !== 'self') await chown(path, user.uid, user.gid);
  }
}

export class ReplicatedServers {
  /** The address of whichever server is the primary. */
  readonly address: string;
  #primary: Server;
  #standby: Server;
  #backups = 0;

  private constructor(
    private readonly installation: Installation,
    private readonly options: ReplicationOptions,
    private readonly entrance: Relay,
    /** From the primary to the standby. */
    private readonly stream: Relay,
    servers: readonly [Server, Server],
  ) {
    [this.#primary, this.#standby] = servers;
    this.address = `postgres://postgres@127.0.0.1:${entrance.port}/postgres`;
  }

  /** The hosts of both servers, the present primary first. */
  get hosts(): readonly string[] {
    return [this.#primary, this.#standby].map(({ port }) => `127.0.0.1:${port}`);
  }

  static async start({ programs, user }: ServerPrograms, options: ReplicationOptions = {}): Promise<ReplicatedServers> {
    const folder = await mkdtemp(join(tmpdir(), 'blockwork-replicated-'));
    if (user !== 'self') await chown(folder, user.uid, user.gid);
    const installation = { programs, user, folder };
    const first = new Server('first', await freePort(), installation);
    const second = new Server('second', await freePort(), installation);
    await first.program(
      'initdb',
      '-D',
      first.data,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C',
      '-N',
      '-k',
      '-A',
      'trust',
    );
    await first.write('postgresql.conf', settings);
    await first.start();
    const [entrance, stream] = [await Relay.open(first.port), await Relay.open(first.port)];
    const servers = new ReplicatedServers(installation, options, entrance, stream, [first, second]);
    await servers.#copyTo(second);
    await servers.#follow();
    return servers;
  }

  /** Whether the standby receives what the primary commits. */
  set isReplicating(isReplicating: boolean) {
    this.stream.isOpen = isReplicating;
  }

  /** Rows of a statement on the primary. */
  query<Row extends object>(text: string): Promise<Row[]> {
    return this.#primary.query<Row>(text);
  }

  /** Resolves once the standby has everything that is committed. */
  async caughtUp(): Promise<void> {
    const [at] = await this.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
    const text = `select pg_last_wal_replay_lsn() >= '${at?.lsn ?? ''}'::pg_lsn as "isThere"`;
    for (;;) {
      const [row] = await this.#standby.query<{ isThere: boolean | null }>(text);
      if (row?.isThere === true) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The primary crashes, and the standby takes its place with what it has received. */
  async failOver(): Promise<void> {
    await this.#primary.stop('immediate');
    await this.#promote();
  }

  /** The former primary follows the present one, rewound if it had gone on alone. */
  async rejoin(): Promise<void> {
    const [primary, standby] = [this.#primary, this.#standby];
    await primary.query('checkpoint');
    await standby.program('pg_rewind', '--no-sync', '-D', standby.data, `--source-server=${primary.address}`);
    this.stream.target = primary.port;
    await this.#follow();
  }

  /** Ends the primary's process and starts it again. */
  async restart(mode: 'immediate' | 'fast'): Promise<void> {
    this.entrance.isOpen = false;
    await this.#primary.stop(mode);
    await this.#primary.start();
    this.entrance.isOpen = true;
  }

  /** A physical backup of the primary. Resolves with a function that puts it in the primary's place. */
  async backup(): Promise<(how: 'recovered' | 'as it is') => Promise<void>> {
    const primary = this.#primary;
    const copy = join(this.installation.folder, `backup-${(this.#backups += 1)}`);
    await primary.program(
      'pg_basebackup',
      '-D',
      copy,
      '-d',
      primary.address,
      '-c',
      'fast',
      '-X',
      'stream',
      '--no-sync',
    );
    return async (how) => {
      this.entrance.isOpen = false;
      await primary.stop('fast');
      await rm(primary.data, { recursive: true });
      await cp(copy, primary.data, { recursive: true, preserveTimestamps: true });
      const { user, folder } = this.installation;
      if (user !== 'self') await run('chown', ['-R', `${user.uid}:${user.gid}`, primary.data], { cwd: folder });
      if (how === 'recovered') {
        await primary.write('recovery.signal', '');
        await primary.write('postgresql.auto.conf', `restore_command = 'false'\n`);
      }
      await primary.start();
      await primary.query(`select pg_catalog.pg_is_in_recovery()`);
      for (let isRecovering = true; isRecovering;) {
        const [row] = await primary.query<{ is: boolean }>('select pg_is_in_recovery() as is');
        isRecovering = row?.is === true;
        if (isRecovering) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      this.entrance.isOpen = true;
    };
  }

  /** A dump of the schema. Resolves with a function that puts it in the schema's place, while the server runs. */
  async dump(): Promise<() => Promise<void>> {
    const primary = this.#primary;
    const file = join(this.installation.folder, 'dump');
    await primary.program('pg_dump', '-Fc', '-n', 'blockwork', '-f', file, primary.address);
    const restore = (): Promise<void> =>
      primary.program('pg_restore', '--clean', '--single-transaction', '-d', primary.address, file);
    return async () => {
      for (;;) {
        try {
          await restore();
          return;
        } catch (error) {
          // A statement of a node was in its way, and nothing was changed.
          if (!String(error).includes('deadlock detected')) throw error;
        }
      }
    };
  }

  async end(): Promise<void> {
    await Promise.all([this.#primary.stop('immediate'), this.#standby.stop('immediate')]);
    await Promise.all([this.entrance.close(), this.stream.close()]);
    await rm(this.installation.folder, { recursive: true, force: true });
  }

  async #promote(): Promise<void> {
    const [primary, standby] = [this.#standby, this.#primary];
    this.entrance.isOpen = false;
    await primary.query('alter system reset all').catch(() => undefined);
    await primary.program('pg_ctl', 'promote', '-w', '-D', primary.data);
    [this.#primary, this.#standby] = [primary, standby];
    this.entrance.target = primary.port;
    this.entrance.isOpen = true;
  }

  async #copyTo(standby: Server): Promise<void> {
    await standby.program('pg_basebackup', '-D', standby.data, '-d', this.#primary.address, '-c', 'fast', '--no-sync');
  }

  /** Starts the standby on the stream of the primary. */
  async #follow(): Promise<void> {
    const standby = this.#standby;
    this.stream.isOpen = true;
    const origin = `host=127.0.0.1 port=${this.stream.port} user=postgres application_name=standby`;
    await writeFile(join(standby.data, 'standby.signal'), '');
    await standby.write('postgresql.auto.conf', `primary_conninfo = '${origin}'\n`);
    await standby.start();
    const isStreaming = `select 1 from pg_stat_replication where state = 'streaming'`;
    while ((await this.query(isStreaming)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const names = this.options.isSynchronous === true ? 'standby' : '';
    await this.query(`alter system set synchronous_standby_names = '${names}'`);
    await this.query('select pg_reload_conf()');
  }
}
