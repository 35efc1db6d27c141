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

interface RequestSize {
  readonly bytes: number;
  readonly isOpen: boolean;
}

/** The requests of one peer by id, with their totals. */
class PeerRequests {
  readonly #sizes = new Map<string, RequestSize>();
  open = 0;
  bytes = 0;

  set(id: string, size: RequestSize): void {
    this.delete(id);
    this.#sizes.set(id, size);
    this.#count(size, 1);
  }

  delete(id: string): void {
    const size = this.#sizes.get(id);
    if (size === undefined) return;
    this.#sizes.delete(id);
    this.#count(size, -1);
  }

  #count({ bytes, isOpen }: RequestSize, sign: 1 | -1): void {
    this.bytes += sign * bytes;
    if (isOpen) this.open += sign;
  }
}

/** Sizes are kept in memory and follow the commits of this process. */
export class PeerQuota implements CommitListener {
  #peers = new Map<string, PeerRequests>();
  #loadedAt = -Infinity;
  /** Changes committed while the requests are being read; `null` if they are not. */
  #changesWhileLoading: Change[] | null = null;
  #loading: Promise<void> | null = null;

  constructor(private readonly deps: PeerQuotaDeps) {}

  committed({ changes }: ChangeSet): void {
    for (const change of changes) {
      if (change.kind !== 'request') continue;
      this.#changesWhileLoading?.push(change);
      follow(this.#peers, change);
    }
  }

  /** Counts the request from now on. Throws `MessageRefused` if it exceeds the peer's quota. */
  async admit(request: RemoteRequest): Promise<void> {
    const { clock } = this.deps;
    if (clock.now() - this.#loadedAt > STALE_MS) await this.#loadOnce();
    const size = sizeOf(request);
    if (this.#excess(request, size) !== null && clock.now() - this.#loadedAt > FRESH_MS) await this.#loadOnce();
    const excess = this.#excess(request, size);
    if (excess !== null) throw new MessageRefused('excessive', excess, request.sender.instance);
    requestsOf(this.#peers, request.sender.instance).set(request.id, size);
  }

  #excess(request: RemoteRequest, { bytes, isOpen }: RequestSize): string | null {
    const { peerRequests, peerBytes } = this.deps.limits;
    const requests = requestsOf(this.#peers, request.sender.instance);
    requests.delete(request.id);
    if (isOpen && requests.open >= peerRequests)
      return `${peerRequests} requests of its instance are open, the limit peerRequests`;
    if (requests.bytes + bytes <= peerBytes) return null;
    return `the requests of its instance would have more than ${peerBytes} bytes, the limit peerBytes`;
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { store, clock } = this.deps;
    const began = clock.now();
    const changes: Change[] = (this.#changesWhileLoading = []);
    const peers = new Map<string, PeerRequests>();
    const where = equalTo('direction', 'incoming');
    for (let offset = 0, count = BATCH; count === BATCH; offset += count) {
      const rows = await store.find('request', INSTANCE, { where, offset, limit: BATCH });
      for (const row of rows) requestsOf(peers, row.sender.instance).set(row.id, sizeOf(row));
      count = rows.length;
    }
    for (const change of changes) follow(peers, change);
    this.#changesWhileLoading = null;
    this.#peers = peers;
    this.#loadedAt = began;
  }
}

const sizeOf = (request: RemoteRequest): RequestSize => ({
  bytes: jsonBytes(request),
  isOpen: request.status === 'NEW',
});

function requestsOf(peers: Map<string, PeerRequests>, instance: string): PeerRequests {
  const requests = peers.get(instance) ?? new PeerRequests();
  peers.set(instance, requests);
  return requests;
}

function follow(peers: Map<string, PeerRequests>, change: Change): void {
  if (change.kind !== 'request') return;
  if (change.op === 'delete') {
    for (const rows of peers.values()) rows.delete(change.id);
  } else if (change.value.direction === 'incoming') {
    const { value } = change;
    requestsOf(peers, value.sender.instance).set(value.id, sizeOf(value));
  }
}
