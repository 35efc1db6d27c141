/** The locks on revisions of a cluster in memory: one queue for each name, served in order of arrival. */
import { BlockworkError, type MemoryStore } from '@blockwork/core';
import type { ChangeSet, HostWork, LockRequest, RevisionLock } from '@blockwork/core/adapter';

/** A request that holds its lock, or waits for it. */
interface Place {
  readonly owner: object;
  readonly keys: ReadonlySet<string>;
  isHeld: boolean;
  isOver: boolean;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

export class ClusterLocks {
  readonly #queues = new Map<string, Place[]>();
  /** Number of requests. */
  taken = 0;

  constructor(private readonly store: MemoryStore) {}

  /** `owner`: the connection that asks. */
  async lock(owner: object, { queue, keys, alsoRead = [] }: LockRequest): Promise<RevisionLock | null> {
    this.taken += 1;
    const places = this.#queues.get(queue) ?? [];
    this.#queues.set(queue, places);
    const place = placeIn(places, owner, keys);
    const hasWaited = places.length > 1;
    for (let [first] = places; first !== undefined && first !== place; [first] = places) await first.ended;
    await this.free(keys);
    place.isHeld = !place.isOver;
    const all = [...keys, ...alsoRead];
    const numbers = await Promise.all(all.map((key) => this.store.revision(key)));
    const revisions = new Map(all.map((key, at) => [key, numbers[at] ?? 0]));
    if (keys.some((key) => revisions.get(key) === 0)) {
      place.end();
      return null;
    }
    return this.#lockOf(place, revisions, hasWaited);
  }

  /** Whether one of the keys is locked. */
  areLocked(keys: readonly string[]): boolean {
    return this.#holderOf(keys) !== undefined;
  }

  /** Resolves when none of the keys is locked. */
  async free(keys: readonly string[]): Promise<void> {
    for (let place = this.#holderOf(keys); place !== undefined; place = this.#holderOf(keys)) await place.ended;
  }

  /** Ends all locks and requests of a connection. */
  endAll(owner: object): void {
    for (const places of this.#queues.values()) for (const place of [...places]) if (place.owner === owner) place.end();
  }

  #holderOf(keys: readonly string[]): Place | undefined {
    const all = [...this.#queues.values()].flat();
    return all.find((place) => place.isHeld && keys.some((key) => place.keys.has(key)));
  }

  #lockOf(place: Place, revisions: ReadonlyMap<string, number>, hasWaited: boolean): RevisionLock {
    const assertHeld = (): void => {
      const [key = ''] = place.keys;
      if (place.isOver) throw new BlockworkError('CONFLICT', { facts: { key } });
    };
    const commit = async (changeSets: readonly ChangeSet[], work?: HostWork): Promise<void> => {
      assertHeld();
      try {
        assertExpected(changeSets[0], revisions);
        await work?.(undefined);
        assertHeld();
        await this.store.commitChain(changeSets);
      } finally {
        place.end();
      }
    };
    const release = async (): Promise<void> => {
      assertHeld();
      place.end();
      return Promise.resolve();
    };
    return { revisions, history: undefined, hasWaited, commit, release };
  }
}

/** Adds a place at the end of the queue. */
function placeIn(places: Place[], owner: object, keys: readonly string[]): Place {
  let resolve = (): void => undefined;
  const ended = new Promise<void>((settle) => (resolve = settle));
  const end = (): void => {
    place.isOver = true;
    place.isHeld = false;
    if (places.includes(place)) places.splice(places.indexOf(place), 1);
    resolve();
  };
  const place: Place = { owner, keys: new Set(keys), isHeld: false, isOver: false, ended, end };
  places.push(place);
  return place;
}

/** Throws `CONFLICT`, before host work runs in vain. */
function assertExpected(first: ChangeSet | undefined, revisions: ReadonlyMap<string, number>): void {
  const moved = Object.entries(first?.expect ?? {}).find(([key, number]) => (revisions.get(key) ?? number) !== number);
  if (moved !== undefined) throw new BlockworkError('CONFLICT', { facts: { key: moved[0] } });
}
