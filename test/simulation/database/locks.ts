/** The locks of the simulated database: a queue for each name, served in order of arrival. */
import type { LockRequest } from '@blockwork/core/adapter';

/** A request that waits for its lock, holds it, or is over. */
export interface Place {
  readonly session: object;
  readonly queue: string;
  readonly keys: ReadonlySet<string>;
  readonly hasWaited: boolean;
  state: 'waits' | 'held' | 'over';
  readonly granted: () => void;
}

interface WaitingCommit {
  readonly keys: readonly string[];
  readonly run: () => void;
}

export class DatabaseLocks {
  /** All requests that are not over, in order of arrival. */
  #places: Place[] = [];
  #commits: WaitingCommit[] = [];

  /** `granted` is called at once if the lock is free. */
  request(session: object, { queue, keys }: LockRequest, granted: (place: Place) => void): Place {
    const hasWaited = this.#places.some((other) => other.queue === queue || sharesKey(other, keys));
    const place: Place = {
      ...{ session, queue, hasWaited, state: 'waits' },
      keys: new Set(keys),
      granted: () => granted(place),
    };
    this.#places.push(place);
    this.#serve();
    return place;
  }

  end(place: Place): void {
    if (place.state === 'over') return;
    place.state = 'over';
    this.#places = this.#places.filter((other) => other !== place);
    this.#serve();
  }

  /** Ends all requests of a session. */
  endSession(session: object): void {
    for (const place of this.#places.filter((each) => each.session === session)) this.end(place);
  }

  /** Ends everything, as when the server ends. What waits is never answered. */
  endAll(): void {
    for (const place of this.#places) place.state = 'over';
    this.#places = [];
    this.#commits = [];
  }

  /** Runs `run` as soon as nobody holds one of the keys. */
  whenFree(keys: readonly string[], run: () => void): void {
    if (this.#isHeld(keys)) this.#commits.push({ keys, run });
    else run();
  }

  #serve(): void {
    const queues = new Set<string>();
    for (const place of [...this.#places]) {
      const isFirst = !queues.has(place.queue);
      queues.add(place.queue);
      if (!isFirst || place.state !== 'waits' || this.#isHeld([...place.keys])) continue;
      place.state = 'held';
      place.granted();
    }
    const waiting = this.#commits;
    this.#commits = [];
    for (const { keys, run } of waiting) this.whenFree(keys, run);
  }

  #isHeld(keys: readonly string[]): boolean {
    return this.#places.some((place) => place.state === 'held' && sharesKey(place, keys));
  }
}

const sharesKey = (place: Place, keys: readonly string[]): boolean => keys.some((key) => place.keys.has(key));
