/**
 * The tail of one policy's journal, shared by its subscribers: recent entries in memory, older ones from the store.
 * Subscribers pull, so a slow one costs no memory.
 */
import { BlockworkError } from '../errors.js';
import type { OpenPolicy } from '../catalog/index.js';
import type { PolicyStore } from '../ports/index.js';
import type { JournalEntry, Membership } from '../records/index.js';
import { revisionKeys } from '../transactions/index.js';
import { BEGINNING } from './cursor.js';
import { movementOf, type Movement } from './policy-event.js';

export interface TailDeps {
  readonly store: PolicyStore;
  readonly policies: { open(policyId: string): Promise<OpenPolicy> };
}

/** The policy and its subscribers' memberships, as of the journal's end. */
export interface Audience {
  readonly policy: OpenPolicy;
  readonly membershipsOf: (did: string) => readonly Membership[];
}

/** Maximum entries kept in memory. */
const BUFFERED_AT_MOST = 256;
/** Entries read per query. */
const READ_AT_MOST = 100;

export class JournalTail {
  readonly #dids = new Map<string, number>();
  readonly #watchers = new Set<() => void>();
  #buffer: Movement[] = [];
  /** Every later entry is in memory. */
  #floor = BEGINNING;
  #head = BEGINNING;
  #revision = -1;
  /** The history of the store in which the entries were read. */
  #history: string | undefined;
  #restarts = 0;
  #started: Promise<void> | null = null;
  #reading: Promise<void> | null = null;
  #headAt: number | null = null;
  #isStarted = false;
  #isStale = false;
  #isDeleted = false;
  #audience: { readonly head: string; readonly value: Promise<Audience> } | null = null;

  constructor(
    readonly policyId: string,
    private readonly deps: TailDeps,
  ) {}

  /** The id of the last known entry. */
  get head(): string {
    return this.#head;
  }

  /** When the unit of the last known entry began, in milliseconds; `null` without one. */
  get headAt(): number | null {
    return this.#headAt;
  }

  /** Changes when the journal has become another one: positions from before mean nothing then. */
  get restarts(): number {
    return this.#restarts;
  }

  get isUnused(): boolean {
    return this.#dids.size === 0;
  }

  /** Adds a subscription of this identity. */
  join(did: string): void {
    this.#dids.set(did, (this.#dids.get(did) ?? 0) + 1);
    this.#audience = null;
  }

  /** Resolves once `head` matches the store. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  leave(did: string): void {
    const others = (this.#dids.get(did) ?? 1) - 1;
    if (others === 0) this.#dids.delete(did);
    else this.#dids.set(did, others);
  }

  /** Called when the policy has been deleted. */
  end(): void {
    this.#isDeleted = true;
    this.#notifyWatchers();
  }

  /** Throws `POLICY_UNKNOWN` if the policy has been deleted. */
  assertNotDeleted(): void {
    if (this.#isDeleted) throw new BlockworkError('POLICY_UNKNOWN', { facts: { policyId: this.policyId } });
  }

  /** Calls `changed` whenever `head` moves, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  }

  /** Appends an entry committed by this process, if no other process can have committed one before it. */
  append(entry: JournalEntry): void {
    if (!this.#isStarted || this.#reading !== null || this.#isStale) this.wake();
    else if (entry.id > this.#head) this.#append([entry]);
  }

  /** As `wake`, unless the policy is still at the revision that was read last. */
  wakeAt(revision: number): void {
    if (revision !== this.#revision || this.deps.store.history?.id !== this.#history) this.wake();
  }

  /** Polls the store for new entries. Never rejects; a failed poll is retried later. */
  wake(): void {
    this.#isStale = true;
    if (this.#reading === null && this.#isStarted) this.#read();
  }

  /** The next entries after the position; `gap` if some of them are no longer in the journal. */
  async after(position: string): Promise<readonly Movement[] | 'gap'> {
    if (position >= this.#floor && position <= this.#head) {
      return this.#buffer.filter(({ id }) => id > position).slice(0, READ_AT_MOST);
    }
    const entries = await this.#find(position);
    return entries === 'gap' ? 'gap' : entries.map(movementOf);
  }

  /** Queried once for all subscribers. */
  audience(): Promise<Audience> {
    const head = this.#head;
    if (this.#audience?.head !== head) {
      const value = this.#readAudience();
      this.#audience = { head, value };
      value.catch(() => {
        if (this.#audience?.value === value) this.#audience = null;
      });
    }
    return this.#audience.value;
  }

  async #readAudience(): Promise<Audience> {
    const { store, policies } = this.deps;
    const [policy, memberships] = await Promise.all([
      policies.open(this.policyId),
      store.find('membership', this.policyId, { where: { path: 'did', op: 'in', value: [...this.#dids.keys()] } }),
    ]);
    const byDid = new Map<string, Membership[]>();
    for (const membership of memberships) {
      const others = byDid.get(membership.did);
      if (others === undefined) byDid.set(membership.did, [membership]);
      else others.push(membership);
    }
    return { policy, membershipsOf: (did) => byDid.get(did) ?? [] };
  }

  async #start(): Promise<void> {
    try {
      this.#history = this.deps.store.history?.id;
      this.#restart(await this.#last());
    } catch (error) {
      this.#started = null;
      throw error;
    }
    this.#isStarted = true;
    if (this.#isStale) this.#read();
  }

  #read(): void {
    const ended = (isStale: boolean): void => {
      this.#reading = null;
      this.#isStale ||= isStale;
    };
    this.#reading = this.#readNew().then(
      () => {
        ended(false);
        if (this.#isStale) this.#read();
      },
      // Retried with the next commit or the hub's next poll.
      () => ended(true),
    );
  }

  async #readNew(): Promise<void> {
    this.#isStale = false;
    const { store } = this.deps;
    const revision = await store.revision(revisionKeys.policy.of(this.policyId));
    const history = store.history?.id;
    if (history !== this.#history) {
      this.#restart(await this.#last());
      this.#restarts += 1;
      this.#history = history;
    } else if (revision === this.#revision) return;
    for (let isMore = true; isMore;) {
      const entries = await this.#find(this.#head);
      isMore = entries.length === READ_AT_MOST;
      if (entries === 'gap') this.#restart(await this.#last());
      else this.#append(entries);
    }
    this.#revision = revision;
  }

  /** Entries after the position, in order. */
  async #find(position: string): Promise<JournalEntry[] | 'gap'> {
    const { store } = this.deps;
    const entries = await store.find('journal', this.policyId, {
      where: { path: 'id', op: 'gt', value: position },
      order: { path: 'id', direction: 'asc' },
      limit: READ_AT_MOST,
    });
    if (position === BEGINNING) return entries;
    // The oldest entries are removed first: if the previous one still exists, none is missing.
    return (await store.get('journal', this.policyId, position)) === undefined ? 'gap' : entries;
  }

  async #last(): Promise<JournalEntry | undefined> {
    const order = { path: 'id', direction: 'desc' } as const;
    const [last] = await this.deps.store.find('journal', this.policyId, { order, limit: 1 });
    return last;
  }

  #append(entries: readonly JournalEntry[]): void {
    if (entries.length === 0) return;
    this.#buffer.push(...entries.map(movementOf));
    const dropped = this.#buffer.splice(0, Math.max(0, this.#buffer.length - BUFFERED_AT_MOST));
    this.#floor = dropped.at(-1)?.id ?? this.#floor;
    this.#head = this.#buffer.at(-1)?.id ?? this.#head;
    this.#headAt = Date.parse(entries.at(-1)?.at ?? '');
    this.#notifyWatchers();
  }

  /** Called when the entries in memory do not continue to `head`. */
  #restart(last: JournalEntry | undefined): void {
    this.#buffer = [];
    this.#head = this.#floor = last?.id ?? BEGINNING;
    this.#headAt = last === undefined ? null : Date.parse(last.at);
    this.#notifyWatchers();
  }

  #notifyWatchers(): void {
    for (const changed of this.#watchers) changed();
  }
}
