/**
 * A node's connection to the simulated database: what the store of PostgreSQL does, with the server at the other end of
 * a network. Statements arrive or not, are executed or not, are answered or not; reads are repeated, the outcome of a
 * commit is determined by a fence, and another history is noticed with the first statement that meets it.
 */
import { BlockworkError, type PolicyStore } from '@blockwork/core';
import type {
  ChangeSet,
  Condition,
  Coordination,
  HistoryChange,
  LockRequest,
  RecordKind,
  RevisionLock,
  StoreHistory,
} from '@blockwork/core/adapter';
import type { Life } from '../life.js';
import type { Network } from '../network.js';
import type { Plants } from '../plants/plants.js';
import type { Scheduler } from '../scheduler.js';
import { Fenced, HistoryMoved, keysOf, type Database } from './database.js';
import type { Place } from './locks.js';

export interface ConnectionDeps {
  readonly name: string;
  readonly life: Life;
  readonly database: Database;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly plants: Plants;
  /** Without it, nodes neither divide their work nor ring for each other. */
  readonly isCoordinated: boolean;
}

/** No answer came: the statement may have been executed, or may still be. */
class Lost extends Error {}

/** As the options of the store are by default, in milliseconds. */
const PATIENCE_MS = 5_000;
const OUTCOME_MS = 60_000;
const LOCK_WAIT_MS = 30_000;
const LOCK_IDLE_MS = 5_000;

interface Granted {
  readonly place: Place;
  readonly revisions: ReadonlyMap<string, number>;
  readonly history: string;
}

export class Connection implements PolicyStore {
  readonly capabilities = { durable: true, shared: true };
  readonly history: StoreHistory;
  readonly coordination?: Coordination;
  readonly #deps: ConnectionDeps;
  readonly #session = {};
  readonly #listeners = new Set<(change: HistoryChange) => void>();
  #history: string;
  /** Commits that are not settled, by each key that they share with later ones. */
  readonly #last = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    const { database, life, scheduler, isCoordinated } = deps;
    this.#history = database.history;
    const current = (): string => this.#history;
    this.history = {
      get id() {
        return current();
      },
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
    if (isCoordinated) this.coordination = this.#coordinate();
    life.atEnd(() => {
      database.coordination.forget(this);
      // The server notices after a while.
      const noticed = scheduler.random.next() * 2_000;
      scheduler.after(noticed, null, `${deps.name} session ends`, () => database.locks.endSession(this.#session));
    });
  }

  revision = async (key: string): Promise<number> => this.#read('revision', ({ tables }) => tables.revisions.get(key));

  revisions = async (keys: readonly string[]): Promise<readonly number[]> =>
    this.#read('revisions', ({ tables }) => keys.map((key) => tables.revisions.get(key)));

  get: PolicyStore['get'] = async (kind, partition, id) =>
    this.#read(`get ${kind}`, ({ tables }) => tables.get(kind, partition, id));

  find: PolicyStore['find'] = async (kind, partition, query) =>
    this.#read(`find ${kind}`, ({ tables }) => tables.find(kind, partition, query));

  findEach: NonNullable<PolicyStore['findEach']> = async (kind, partitions, where) =>
    this.#read(`find ${kind}`, ({ tables }) =>
      Promise.all(partitions.map((partition) => tables.find(kind, partition, where === undefined ? {} : { where }))),
    );

  count = async (kind: RecordKind, partition: string, where?: Condition): Promise<number> =>
    this.#read(`count ${kind}`, ({ tables }) => tables.count(kind, partition, where));

  commit = async (changeSet: ChangeSet): Promise<void> => this.commitChain([changeSet]);

  /** Commits of one connection that share a key are executed in the order of the calls. */
  async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    this.#assertOpen();
    const chain = this.#deps.plants.rewritten(changeSets.map((each) => structuredClone(each)));
    const keys = keysOf(chain);
    const before = keys.flatMap((key) => this.#last.get(key) ?? []);
    const committing = Promise.all(before).then(() => this.#commit(chain));
    const settled = committing.catch(() => undefined);
    for (const key of keys) this.#last.set(key, settled);
    try {
      await committing;
    } finally {
      for (const key of keys) if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  async lock(request: LockRequest): Promise<RevisionLock | null> {
    this.#assertOpen();
    const granted = await this.#repeat('lock', () => this.#place(request), LOCK_WAIT_MS);
    return granted === null ? null : this.#lockOf(granted, request);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  async #commit(chain: readonly ChangeSet[]): Promise<void> {
    const { database, scheduler } = this.#deps;
    const deadline = scheduler.now + PATIENCE_MS;
    for (;;) {
      this.#assertHistory(chain);
      const id = database.nextId();
      const history = this.#history;
      try {
        await this.#exchange(
          'commit',
          () =>
            new Promise<void>((resolve, reject) => {
              database.locks.whenFree(keysOf(chain), () =>
                settle(() => database.commit(id, history, chain), resolve, reject),
              );
            }),
        );
        return;
      } catch (error) {
        if (error instanceof HistoryMoved) this.#notice();
        else if (!(error instanceof Lost || error instanceof Fenced)) throw error;
        else if (await this.#isDone(id)) return;
        else if (scheduler.now >= deadline) throw unavailable('the database did not answer');
      }
      await this.#pause();
    }
  }

  /** Determines the outcome of a commit whose answer was lost. Rejects with `COMMIT_UNKNOWN`. */
  async #isDone(id: number): Promise<boolean> {
    const { database, scheduler } = this.#deps;
    const deadline = scheduler.now + OUTCOME_MS;
    while (scheduler.now < deadline) {
      const history = this.#history;
      try {
        return await this.#exchange('fence', () => {
          if (history !== database.history) throw new HistoryMoved();
          return database.fence(id);
        });
      } catch (error) {
        if (error instanceof HistoryMoved) this.#notice();
        await this.#pause();
      }
    }
    throw new BlockworkError('COMMIT_UNKNOWN', { facts: { reason: 'the database did not answer' } });
  }

  /** `null` if one of the keys has no revision. */
  #place(request: LockRequest): Promise<Granted | null> {
    const { database, scheduler, name } = this.#deps;
    const history = this.#history;
    let asked: Place | undefined;
    return this.#exchange(
      'lock',
      () =>
        new Promise<Granted | null>((resolve, reject) => {
          if (history !== database.history) throw new HistoryMoved();
          const place = database.locks.request(this.#session, request, (granted) => {
            const revisions = database.revisionsOf(request);
            if (revisions === null) {
              // Ended only now: whoever comes next is served while this one still is.
              queueMicrotask(() => database.locks.end(granted));
              resolve(null);
              return;
            }
            scheduler.after(LOCK_IDLE_MS, null, `${name} lock ends`, () => database.locks.end(granted));
            resolve({ place: granted, revisions, history });
          });
          asked = place;
          scheduler.after(LOCK_WAIT_MS, null, `${name} lock times out`, () => {
            if (place.state !== 'waits') return;
            database.locks.end(place);
            reject(unavailable('the lock was not free for long'));
          });
        }),
    ).catch((error: unknown) => {
      if (asked !== undefined) database.locks.end(asked);
      throw error;
    });
  }

  #lockOf({ place, revisions, history }: Granted, { keys }: LockRequest): RevisionLock {
    const { database } = this.#deps;
    let isUsed = false;
    const use = (): void => {
      if (isUsed) throw new BlockworkError('CONFLICT', { facts: { key: keys[0] ?? '' } });
      isUsed = true;
    };
    const release = async (): Promise<void> => {
      use();
      const wasHeld = await this.#exchange('unlock', () => {
        const isHeld = place.state === 'held';
        database.locks.end(place);
        return isHeld;
      }).catch(() => false);
      if (!wasHeld) throw new BlockworkError('CONFLICT', { facts: { key: keys[0] ?? '' } });
    };
    const commit = async (changeSets: readonly ChangeSet[]): Promise<void> => {
      const chain = this.#deps.plants.rewritten(changeSets.map((each) => structuredClone(each)));
      if (keysOf(chain).some((key) => !keys.includes(key))) {
        await release();
        return this.commitChain(changeSets);
      }
      use();
      this.#assertHistory(chain);
      const id = database.nextId();
      try {
        await this.#exchange('commit locked', () => database.commitLocked(place, id, history, chain));
      } catch (error) {
        if (error instanceof HistoryMoved) this.#notice();
        if (error instanceof Lost && (await this.#isDone(id))) return;
        if (error instanceof BlockworkError) throw error;
        throw new BlockworkError('CONFLICT', { facts: { key: keys[0] ?? '' }, cause: error });
      }
    };
    return { revisions, history, hasWaited: place.hasWaited, commit, release };
  }

  #coordinate(): Coordination {
    const { database, scheduler, network, life, name } = this.#deps;
    return database.coordination.connect(this, {
      ask: (step, act) => this.#read(step, act),
      carry: (ring) => {
        if (network.chance(0.2) || network.isCut(name, 'store')) return;
        scheduler.after(network.latency(), life, `${name} rings`, ring);
      },
    });
  }

  /** A read is repeated until it is answered in the present history. */
  #read<T>(label: string, act: (database: Database) => T | Promise<T>): Promise<T> {
    this.#assertOpen();
    const { database } = this.#deps;
    return this.#repeat(label, () => {
      const history = this.#history;
      return this.#exchange(label, () => {
        if (history !== database.history) throw new HistoryMoved();
        return act(database);
      });
    });
  }

  async #repeat<T>(label: string, attempt: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
    const { scheduler } = this.#deps;
    const deadline = scheduler.now + patienceMs;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof HistoryMoved) this.#notice();
        else if (!(error instanceof Lost)) throw error;
        else if (scheduler.now >= deadline) throw unavailable(`the database did not answer: ${label}`);
        else await this.#pause();
      }
    }
  }

  /** One statement, executed at most once. Rejects with what `execute` throws, and with `Lost`. */
  #exchange<T>(label: string, execute: () => T | Promise<T>): Promise<T> {
    const { name, life, database, scheduler, network } = this.#deps;
    const { epoch } = database;
    const full = `${name} ${label}`;
    return new Promise((resolve, reject) => {
      const back = (ms: number, act: () => void): void => void scheduler.after(ms, life, `${full} back`, act);
      const lose = (): void => back(50 + scheduler.random.next() * 2_000, () => reject(new Lost(label)));
      const isReachable = (): boolean => database.isUp && database.epoch === epoch && !network.isCut(name, 'store');
      const answer = (act: () => void): void => {
        if (life.isOver) return;
        if (!isReachable() || network.chance(0.005)) lose();
        else if (life.pausedUntil > scheduler.now || scheduler.random.chance(0.3)) back(network.latency(), act);
        else act();
      };
      const arrive = (): void => {
        if (!isReachable()) lose();
        else
          settle(
            execute,
            (value) => answer(() => resolve(value)),
            (error) => answer(() => reject(error instanceof Error ? error : new Error(String(error)))),
          );
      };
      if (network.chance(0.005)) {
        lose();
        // What was given up may still arrive.
        if (scheduler.random.chance(0.5)) scheduler.after(scheduler.random.next() * 20_000, null, full, arrive);
      } else scheduler.after(network.latency(), null, full, arrive);
    });
  }

  #pause(): Promise<void> {
    const { scheduler, life, name } = this.#deps;
    return scheduler.pass(20 + scheduler.random.next() * 500, life, `${name} waits`);
  }

  /** Moves to the present history and says so. */
  #notice(): void {
    const { database, name, scheduler } = this.#deps;
    const [from, to] = [this.#history, database.history];
    if (from === to) return;
    this.#history = to;
    scheduler.trace.tell(`${name} notices ${to}`);
    for (const listener of this.#listeners) listener({ from, to, reason: 'the primary is another one' });
  }

  #assertHistory(chain: readonly ChangeSet[]): void {
    const isOther = ({ history }: ChangeSet): boolean => history !== undefined && history !== this.#history;
    if (!chain.some(isOther)) return;
    throw new BlockworkError('CONFLICT', { facts: { key: Object.keys(chain[0]?.expect ?? {})[0] ?? '' } });
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new BlockworkError('STORE_CLOSED');
  }
}

const unavailable = (reason: string): BlockworkError => new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });

function settle<T>(act: () => T | Promise<T>, done: (value: T) => void, failed: (error: unknown) => void): void {
  try {
    const result = act();
    if (result instanceof Promise) result.then(done, failed);
    else done(result);
  } catch (error) {
    failed(error);
  }
}
