/** Limits what each peer may have in the inbox, so that no peer can fill an instance with requests. */
import type { Change, ChangeSet, Clock, PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE, jsonBytes } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import type { CommitListener } from '../transactions/index.js';
import { MessageRefused } from './messaging/refusal.js';

export interface PeerLimits {
  /** Maximum number of requests waiting for a decision. */
  readonly peerRequests: number;
  /** Maximum size of all stored requests, including closed ones. */
  readonly peerBytes: number;
}

export interface PeerQuotaDeps {
  readonly store: Pick<PolicyStore, 'find'>;
  readonly clock: Clock;
  readonly limits: PeerLimits;
}

/** Rows read at once; each may be as large as a message. */
const BATCH = 25;
/** Other processes may have closed or removed requests, so a refusal needs data no older than this. */
const FRESH_MS = 10_000;
/** Admission needs data no older than this, since another process may have held the connection meanwhile. */
const STALE_MS = 600_000;

interface Row {
  readonly bytes: number;
  readonly isOpen: boolean;
}

/** The requests of one peer by id, with their totals. */
class Rows {
  readonly #rows = new Map<string, Row>();
  open = 0;
  bytes = 0;

  set(id: string, row: Row): void {
    this.delete(id);
    this.#rows.set(id, row);
    this.#count(row, 1);
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    this.#count(row, -1);
  }

  #count({ bytes, isOpen }: Row, sign: 1 | -1): void {
    this.bytes += sign * bytes;
    if (isOpen) this.open += sign;
  }
}

/** Sizes are kept in memory and follow the commits of this process. */
export class PeerQuota implements CommitListener {
  #peers = new Map<string, Rows>();
  #loadedAt = -Infinity;
  /** Commits made while the rows are being read. */
  #missed: Change[] | null = null;
  #loading: Promise<void> | null = null;

  constructor(private readonly deps: PeerQuotaDeps) {}

  committed({ changes }: ChangeSet): void {
    for (const change of changes) {
      if (change.kind !== 'request') continue;
      this.#missed?.push(change);
      follow(this.#peers, change);
    }
  }

  /** Counts the request from now on. Throws `MessageRefused` if it exceeds the peer's quota. */
  async admit(request: RemoteRequest): Promise<void> {
    const { clock } = this.deps;
    if (clock.now() - this.#loadedAt > STALE_MS) await this.#load();
    const row = rowOf(request);
    if (this.#excess(request, row) !== null && clock.now() - this.#loadedAt > FRESH_MS) await this.#load();
    const excess = this.#excess(request, row);
    if (excess !== null) throw new MessageRefused('excessive', excess, request.sender.instance);
    rowsOf(this.#peers, request.sender.instance).set(request.id, row);
  }

  #excess(request: RemoteRequest, { bytes, isOpen }: Row): string | null {
    const { peerRequests, peerBytes } = this.deps.limits;
    const rows = rowsOf(this.#peers, request.sender.instance);
    rows.delete(request.id);
    if (isOpen && rows.open >= peerRequests)
      return `${peerRequests} requests of its instance are open, the limit peerRequests`;
    if (rows.bytes + bytes <= peerBytes) return null;
    return `the requests of its instance would have more than ${peerBytes} bytes, the limit peerBytes`;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #read(): Promise<void> {
    const { store, clock } = this.deps;
    const began = clock.now();
    const missed: Change[] = (this.#missed = []);
    const peers = new Map<string, Rows>();
    const where = equalTo('direction', 'incoming');
    for (let offset = 0, found = BATCH; found === BATCH; offset += found) {
      const rows = await store.find('request', INSTANCE, { where, offset, limit: BATCH });
      for (const row of rows) rowsOf(peers, row.sender.instance).set(row.id, rowOf(row));
      found = rows.length;
    }
    for (const change of missed) follow(peers, change);
    this.#missed = null;
    this.#peers = peers;
    this.#loadedAt = began;
  }
}

const rowOf = (request: RemoteRequest): Row => ({ bytes: jsonBytes(request), isOpen: request.status === 'NEW' });

function rowsOf(peers: Map<string, Rows>, instance: string): Rows {
  const rows = peers.get(instance) ?? new Rows();
  peers.set(instance, rows);
  return rows;
}

function follow(peers: Map<string, Rows>, change: Change): void {
  if (change.kind !== 'request') return;
  if (change.op === 'delete') {
    for (const rows of peers.values()) rows.delete(change.id);
  } else if (change.value.direction === 'incoming') {
    const { value } = change;
    rowsOf(peers, value.sender.instance).set(value.id, rowOf(value));
  }
}
