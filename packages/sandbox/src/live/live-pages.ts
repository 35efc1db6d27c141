/** The websocket of the reference: notifies open pages of blocks to reload and of refusals. */
import { isBlockworkError } from '@blockwork/core';
import type { Caller, Clock, Logger, PolicyEngine, Timers } from '@blockwork/core';
import { isFromThisMachine } from '@blockwork/http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { SessionTokens } from '../accounts/session-tokens.js';
import { SandboxError } from '../errors.js';
import type { Task } from '../memory/tasks.js';
import type { Trials } from '../memory/trials.js';
import { rolesIn } from '../policies/acting.js';
import { blocksOf, type IndexedBlock } from '../policies/block-index.js';
import type { SandboxLimits } from '../limits.js';
import type { Person } from '../requests/person.js';
import { Connection } from './connection.js';
import { clientMessage, services } from './messages.js';

export interface LivePagesDeps {
  readonly engine: PolicyEngine;
  readonly tokens: SessionTokens;
  readonly trials: Trials;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly limits: Pick<SandboxLimits, 'sockets' | 'socketsPerAccount' | 'socketPolicies'>;
  /** Whether pages of other hosts may connect. */
  readonly allowAnyHost: boolean;
}

/** Data sent to a block, or a choice of group. */
export interface Sent {
  readonly person: Person;
  readonly policyId: string;
  /** Id or tag; `undefined` for a choice of group. */
  readonly block: string | undefined;
}

/** Maximum size of a client message in bytes. */
const MESSAGE_LIMIT = 64 * 1024;
/** Clients send a ping every half minute; idle connections are replaced by new ones. */
const SILENT_MS = 120_000;
/** How long a connection may be without a valid token, in milliseconds. */
const STRANGER_MS = 5_000;

const BASE = 'http://localhost';

const changingRoles = new Set(['policyRolesBlock', 'groupManagerBlock']);

export class LivePages {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_LIMIT });
  readonly #connections = new Set<Connection>();

  constructor(private readonly deps: LivePagesDeps) {}

  /** Takes over the connections to `/ws/`, and ends all others. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = request.url ?? '/';
    const url = URL.canParse(target, BASE) ? new URL(target, BASE) : null;
    const header = (name: string): string | undefined => request.headers[name]?.toString();
    if (url === null) refuseUpgrade(socket, '400 Bad Request');
    else if (!/^\/ws\/?$/.test(url.pathname)) refuseUpgrade(socket, '404 Not Found');
    else if (!this.deps.allowAnyHost && !isFromThisMachine(header)) refuseUpgrade(socket, '403 Forbidden');
    else if (!this.#hasRoom()) refuseUpgrade(socket, '503 Service Unavailable');
    else
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#open(opened, url.searchParams.get('token')));
  }

  announce(person: Person, task: Task): void {
    for (const connection of this.#of(person)) connection.send('UPDATE_TASK_STATUS', task);
  }

  /** Subscribes the caller's pages to the policy. */
  watch(person: Person, policyId: string): void {
    for (const connection of this.#of(person)) this.#follow(connection, person, policyId);
  }

  /** View state is not in the journal, so pages are notified of everything that their user sends. */
  accepted({ person, policyId, block }: Sent): void {
    for (const connection of this.#of(person)) {
      this.#guarded(connection, async () => {
        await this.#update(connection, person, policyId);
        if (await this.#changesRoles(person, policyId, block)) await this.#tellRoles(connection, person, policyId);
      });
    }
  }

  refused({ person, policyId, block }: Sent, message: string): void {
    for (const connection of this.#of(person)) {
      this.#guarded(connection, async () => {
        const blockType = (await this.#blockOf(person, policyId, block))?.blockType ?? '';
        connection.send('error-event', { blockType, message });
      });
    }
  }

  close(): void {
    for (const { socket } of this.#connections) socket.terminate();
    this.#server.close();
  }

  /** A full server ends the connection of the stranger who came first, or one that went silent. */
  #hasRoom(): boolean {
    if (this.#connections.size < this.deps.limits.sockets) return true;
    const now = this.deps.clock.now();
    const stranger = [...this.#connections].find((connection) => connection.accountAt(now) === null);
    const [quietest] = [...this.#connections].sort((a, b) => a.heardAt - b.heardAt);
    const silent = quietest !== undefined && now - quietest.heardAt >= SILENT_MS ? quietest : undefined;
    const ended = stranger ?? silent;
    if (ended === undefined) return false;
    this.#end(ended);
    return true;
  }

  #open(socket: WebSocket, token: string | null): void {
    const { clock, limits, logger } = this.deps;
    const connection = new Connection(socket, clock.now(), limits.socketPolicies);
    this.#connections.add(connection);
    socket.on('message', (data, isBinary) => this.#hear(connection, data, isBinary));
    socket.on('error', (error) => logger.debug('A websocket ended early.', { error }));
    socket.on('close', () => this.#forget(connection));
    if (token !== null) this.#logIn(connection, token);
    this.#watchStranger(connection, clock.now());
  }

  /** Closes the connection once it has been without a valid token for too long. `since`: when it was last checked. */
  #watchStranger(connection: Connection, since: number): void {
    const { clock, timers } = this.deps;
    const strangerSince = Math.max(since, connection.session?.expiresAt ?? since);
    connection.cancelCheck = timers.after(
      strangerSince + STRANGER_MS - clock.now(),
      () => {
        const now = clock.now();
        if (connection.accountAt(now) !== null) this.#watchStranger(connection, now);
        else connection.socket.close(1008, 'A connection needs a valid token.');
      },
      'background',
    );
  }

  /** Beyond its share, the connection of the account that was opened first ends. */
  #keepToShare(accountId: string): void {
    const own = [...this.#connections].filter(({ session }) => session?.accountId === accountId);
    const excess = own.length - this.deps.limits.socketsPerAccount;
    for (const connection of own.slice(0, Math.max(0, excess))) this.#end(connection);
  }

  #end(connection: Connection): void {
    this.#forget(connection);
    connection.socket.terminate();
  }

  #forget(connection: Connection): void {
    connection.cancelCheck();
    connection.become(null);
    this.#connections.delete(connection);
  }

  #hear(connection: Connection, data: RawData, isBinary: boolean): void {
    connection.heardAt = this.deps.clock.now();
    const message = isBinary ? null : clientMessage(data);
    if (message === null) connection.socket.close(1007, 'Messages are JSON texts with a type.');
    else if (message.type === 'ping') connection.sendText('pong');
    else if (message.type === 'GET_STATUS') connection.send('GET_STATUS', services);
    else if (message.type === 'SET_ACCESS_TOKEN' || message.type === 'UPDATE_PROFILE') {
      this.#logIn(connection, typeof message.data === 'string' ? message.data : '');
    }
  }

  /** An invalid token logs out. */
  #logIn(connection: Connection, token: string): void {
    try {
      const session = this.deps.tokens.ofAccess(token);
      connection.become(session === undefined ? null : { accountId: session.account.id, expiresAt: session.expiresAt });
      if (session !== undefined) this.#keepToShare(session.account.id);
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      connection.become(null);
    }
  }

  #of({ account }: Person): Connection[] {
    if (account === null) return [];
    const now = this.deps.clock.now();
    return [...this.#connections].filter((connection) => connection.accountAt(now) === account.id);
  }

  #follow(connection: Connection, person: Person, policyId: string): void {
    const { caller } = person;
    const signal = caller === null ? undefined : connection.follow(policyId);
    if (signal === undefined || caller === null) return;
    this.#guarded(connection, async () => {
      try {
        for await (const { type } of this.deps.engine.events(caller, { policyId, signal })) {
          // A page renews an expired token shortly, and must not miss what happens from then on.
          if (connection.accountAt(this.deps.clock.now()) === null) continue;
          if (type !== 'open') await this.#update(connection, person, policyId);
        }
      } catch (error) {
        // The response to the request that named the policy already reported this.
        if (!isBlockworkError(error, 'POLICY_UNKNOWN')) throw error;
      } finally {
        if (!signal.aborted) connection.unfollow(policyId);
      }
    });
  }

  /** The root and every block of the policy: the page reloads those that it shows. */
  async #update(connection: Connection, { caller }: Person, policyId: string): Promise<void> {
    // The pending update covers changes in the meantime.
    if (caller === null || connection.updating.has(policyId)) return;
    connection.updating.add(policyId);
    const blocks = await this.#blocks(caller, policyId).finally(() => connection.updating.delete(policyId));
    const ids = blocks.map(({ id }) => id);
    if (ids.length > 0) connection.send('update-event', ids);
  }

  async #changesRoles(person: Person, policyId: string, block: string | undefined): Promise<boolean> {
    if (block === undefined) return true;
    return changingRoles.has((await this.#blockOf(person, policyId, block))?.blockType ?? '');
  }

  async #tellRoles(connection: Connection, { caller }: Person, policyId: string): Promise<void> {
    if (caller === null) return;
    const acting: Caller = this.deps.trials.activeFor(policyId, caller) ?? caller;
    const { userRole, userGroup = null, userGroups } = await rolesIn(this.deps.engine, acting, policyId);
    const user = { did: acting.did, role: caller.role };
    connection.send('update-user-info-event', { policyId, user, userRole, userGroup, userGroups });
  }

  async #blockOf({ caller }: Person, policyId: string, block: string | undefined) {
    if (caller === null || block === undefined) return undefined;
    return (await this.#blocks(caller, policyId)).find(({ id, tag }) => id === block || tag === block);
  }

  /** None of a trial in which the caller has no part yet. */
  async #blocks(caller: Caller, policyId: string): Promise<IndexedBlock[]> {
    try {
      return await blocksOf(this.deps.engine, caller, policyId);
    } catch (error) {
      if (isBlockworkError(error, 'POLICY_UNKNOWN')) return [];
      throw error;
    }
  }

  /** Closes a page that cannot be notified, so that it reconnects and reloads everything. */
  #guarded(connection: Connection, work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      this.deps.logger.warn('A page could not be notified of changes, and was closed.', { error });
      connection.socket.close(1011, 'Changes could not be delivered.');
    });
  }
}

function refuseUpgrade(socket: Duplex, status: string): void {
  // The client may have disconnected, or keep its side open.
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
