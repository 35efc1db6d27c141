/**
 * Notifies the other nodes of pending work by name, over LISTEN and NOTIFY. Never within a commit, since the database
 * serializes notifying commits. Only a hint: work that must not be missed is also polled for.
 */
import type { Logger, Timers } from '@blockwork/core';
import type { NodeNotifier as NodeNotifierPort, NotifiedNames } from '@blockwork/core/adapter';
import type { Client } from 'pg';
import type { Connections } from '../connection/connections.js';
import { unflushed } from '../connection/sessions.js';
import { reasonOf } from '../connection/failures.js';

export interface NodeNotifierDeps {
  readonly connections: Connections;
  readonly channel: string;
  readonly timers: Timers;
  readonly logger: Logger;
  /** The database delivers no notifications, so both notifying and listening are no-ops. */
  readonly isMute: boolean;
}

/** Rings within this many milliseconds are batched. */
const BATCH_MS = 10;
/** Payloads must be under 8000 bytes. */
const BYTES_AT_MOST = 7000;
const NAMES_AT_MOST = 500;
/** Keep-alive interval of an idle connection. */
const HEARTBEAT_MS = 10_000;
const ALL = '*';

export class NodeNotifier implements NodeNotifierPort {
  readonly #deps: NodeNotifierDeps;
  readonly #listeners = new Set<(notified: NotifiedNames) => void>();
  #pending: Set<string> | 'all' = new Set();
  #client: Client | undefined;
  #isRunning = false;
  #isClosed = false;
  #cancelSend: (() => void) | undefined;
  #cancelHeartbeat: (() => void) | undefined;

  constructor(deps: NodeNotifierDeps) {
    this.#deps = deps;
  }

  get isMute(): boolean {
    return this.#deps.isMute;
  }

  /** Notifies all other nodes shortly; if the database is unavailable, once it is back. */
  notify(...names: readonly string[]): void {
    if (this.isMute || this.#isClosed || names.length === 0) return;
    this.#add(names);
    this.#connect();
    this.#cancelSend ??= this.#deps.timers.after(BATCH_MS, () => void this.#send(), 'background');
  }

  /**
   * Calls `listener` with the names other nodes rang for, and with `all` on every (re)connection, since rings may have been missed.
   * Returns a function that unsubscribes.
   */
  subscribe(listener: (notified: NotifiedNames) => void): () => void {
    this.#listeners.add(listener);
    this.#connect();
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSend?.();
    this.#cancelHeartbeat?.();
    await this.#client?.end();
  }

  #isOpen(): boolean {
    return !this.#isClosed;
  }

  #add(names: Iterable<string>): void {
    if (this.#pending === 'all') return;
    for (const name of names) this.#pending.add(name);
    if (this.#pending.size > NAMES_AT_MOST) this.#pending = 'all';
  }

  #connect(): void {
    if (this.isMute || this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    void this.#keepConnected();
  }

  async #keepConnected(): Promise<void> {
    const { connections, logger } = this.#deps;
    for (let failures = 0; this.#isOpen();) {
      try {
        await this.#listen(await connections.single(), failures);
        failures = 0;
      } catch (error) {
        // Warned once: there are several attempts per second while the database is away.
        const level = failures === 0 ? 'warn' : 'debug';
        failures += 1;
        logger[level]('Listening for notifications of the database failed.', {
          reason: reasonOf(error),
          attempt: failures,
        });
      }
      if (this.#isOpen()) await connections.patience.pause(failures);
    }
  }

  /** Listens until the connection ends. `failures`: failed attempts before it. */
  async #listen(client: Client, failures: number): Promise<void> {
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    try {
      const { rows } = await client.query<{ id: number }>(`select pg_backend_pid() as id, ${unflushed}`);
      client.on('notification', ({ processId, payload }) => {
        if (processId !== rows[0]?.id) this.#notifyListeners(payload ?? ALL);
      });
      await client.query(`listen "${this.#deps.channel}"`);
      // The notifier may have been closed while the connection was being opened.
      if (this.#isClosed) return;
      this.#client = client;
      if (failures > 0) this.#deps.logger.info('Listening for notifications of the database again.', { failures });
      this.#notifyListeners(ALL);
      this.#scheduleHeartbeat(client);
      await this.#send();
      await ended;
    } finally {
      this.#client = undefined;
      this.#cancelHeartbeat?.();
      await client.end();
    }
  }

  /** Keep-alive: probes the connection, because a dead one is as silent as an idle one. */
  #scheduleHeartbeat(client: Client): void {
    this.#cancelHeartbeat = this.#deps.timers.after(
      HEARTBEAT_MS,
      () => {
        // A failure ends the connection, for which the caller waits.
        client.query('select 1').then(
          () => this.#scheduleHeartbeat(client),
          () => undefined,
        );
      },
      'background',
    );
  }

  async #send(): Promise<void> {
    this.#cancelSend?.();
    this.#cancelSend = undefined;
    const names = this.#pending;
    if (this.#client === undefined || (names !== 'all' && names.size === 0)) return;
    this.#pending = new Set();
    const text = names === 'all' ? ALL : JSON.stringify([...names]);
    const payload = Buffer.byteLength(text) > BYTES_AT_MOST ? ALL : text;
    try {
      await this.#client.query('select pg_notify($1, $2)', [this.#deps.channel, payload]);
    } catch {
      // The connection is broken; the next one sends them.
      if (names === 'all') this.#pending = 'all';
      else this.#add(names);
    }
  }

  #notifyListeners(payload: string): void {
    const notified: NotifiedNames = payload === ALL ? 'all' : parseNames(payload);
    for (const listener of this.#listeners) this.#guarded(() => listener(notified));
  }

  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#deps.logger.error('A listener to the notifier failed.', { error });
    }
  }
}

/** Any database user may notify, so an unreadable payload is treated as a hint to check everything. */
function parseNames(payload: string): NotifiedNames {
  try {
    const names: unknown = JSON.parse(payload);
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return new Set(names);
  } catch {
    // Falls through to `all` below.
  }
  return 'all';
}
