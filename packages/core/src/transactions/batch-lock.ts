/**
 * The lock under which a lane runs a batch of units. It ends with the batch, which is limited in units and in time, so that
 * every process gets its turn.
 */
import type { Clock, RevisionLock, Timers } from '../ports/index.js';
import type { RevisionKey } from './revision-keys.js';

export interface BatchLockDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called when the lock has to end although a unit of the batch is still running. */
  readonly onOverdue: () => void;
}

/** Limits of a batch: when one is reached, no further unit starts. */
const UNITS_AT_MOST = 64;
const BATCH_MS = 1_000;
/** How long a lock lasts at most: a unit that runs longer goes on without it. */
const LONGEST_MS = 3_000;

export class BatchLock {
  readonly #keys: ReadonlySet<string>;
  readonly #isDue: () => boolean;
  readonly #cancel: () => void;
  #units = 0;

  constructor(
    readonly lock: RevisionLock,
    keys: readonly RevisionKey[],
    { clock, timers, onOverdue }: BatchLockDeps,
  ) {
    this.#keys = new Set(keys);
    const ends = clock.now() + BATCH_MS;
    this.#isDue = () => clock.now() >= ends;
    this.#cancel = timers.after(LONGEST_MS, onOverdue, 'background');
  }

  /** Whether a unit with these keys may start under the lock. */
  mayStart(keys: readonly RevisionKey[]): boolean {
    if (!keys.every((key) => this.#keys.has(key))) return false;
    return this.#units === 0 || (this.#units < UNITS_AT_MOST && !this.#isDue());
  }

  onStarted(): void {
    this.#units += 1;
  }

  /** Called once, before the lock ends. */
  end(): void {
    this.#cancel();
  }
}
