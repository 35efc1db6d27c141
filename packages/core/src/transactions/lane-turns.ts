/**
 * Turns: where several nodes write to one policy, each runs its units for a short time, under a lease on the lane, so that they rarely
 * invalidate each other's. Turns only save work: a node that gets no lease, or loses it, is still held back by compare-and-set alone.
 */
import { LRUCache } from 'lru-cache';
import type { Clock, Ids, LeaseAnswer, Timers } from '../ports/index.js';
import type { Lane } from './revision-keys.js';

/** The leases of this node. Methods reject with `STORE_UNAVAILABLE`. */
export interface TurnLeases {
  take(names: readonly string[]): Promise<Pick<LeaseAnswer, 'taken'>>;
  release(names: readonly string[]): Promise<void>;
}

export interface LaneTurnsDeps {
  /** `null` for a shared store without leases: there, units only wait a random time after a conflict. */
  readonly leases: TurnLeases | null;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
}

/** How long a node keeps a turn while there is work, and how many of the units that waited for the turn run in it whatever that takes. */
const TURN_MS = 50;
const UNITS_AT_LEAST = 64;
/** How long it keeps a turn without work: the next send of a client that has just been answered may be on its way. */
const LINGER_MS = 3;
/** Pause between attempts to get a turn; shorter for those who have waited long. */
const POLL_MS = 10;
/** Then a node goes ahead without a turn. The lease of a dead node is free before that. */
const LONGEST_WAIT_MS = 10_000;
/** A lane is contended for so long after the last sign of it. */
const CONTENDED_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
const LANES_AT_MOST = 1_000;

export class LaneTurns {
  readonly #deps: LaneTurnsDeps;
  /** Those that were contended lately. */
  readonly #turns: LRUCache<Lane, LaneTurn>;

  constructor(deps: LaneTurnsDeps) {
    this.#deps = deps;
    this.#turns = new LRUCache({ max: LANES_AT_MOST, dispose: (turn) => void turn.end() });
  }

  of(lane: Lane): LaneTurn {
    let turn = this.#turns.get(lane);
    if (turn === undefined) this.#turns.set(lane, (turn = new LaneTurn(lane, this.#deps)));
    return turn;
  }
}

export class LaneTurn {
  readonly #deps: LaneTurnsDeps;
  readonly #lease: string;
  #contendedUntil = -Infinity;
  /** When the turn of this node is over; `null` if it has none. */
  #until: number | null = null;
  /** Units that waited for the turn and have not started. */
  #waiting = 0;
  #hasLease = false;
  #cancelLinger: (() => void) | null = null;

  constructor(lane: Lane, deps: LaneTurnsDeps) {
    this.#deps = deps;
    this.#lease = `turn/${lane}`;
  }

  /** Whether a unit may start now: nobody else writes, or it is this node's turn. */
  get isOpen(): boolean {
    const now = this.#deps.clock.now();
    return now >= this.#contendedUntil || (this.#until !== null && (now < this.#until || this.#waiting > 0));
  }

  /** Another node wrote to the lane in between. */
  conflicted(): void {
    this.#contendedUntil = this.#deps.clock.now() + CONTENDED_MS;
  }

  /** Waits for a turn, and hands on the one that is over. `refusals`: of the first unit that waits. Never rejects. */
  async take(refusals: number, queued: () => number): Promise<void> {
    const isHandedOn = this.#until !== null;
    await this.end();
    if (this.#deps.leases === null) await this.#pause(this.#backoff(refusals));
    else await this.#waitForLease(isHandedOn);
    this.#until = this.#deps.clock.now() + TURN_MS;
    this.#waiting = Math.min(queued(), UNITS_AT_LEAST);
  }

  /** A unit of the lane starts. */
  started(): void {
    if (this.#waiting > 0) this.#waiting -= 1;
  }

  /** The lane has work again. */
  resume(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = null;
    const now = this.#deps.clock.now();
    // Nobody else has written for a while.
    if (this.#until !== null && now >= this.#until && now >= this.#contendedUntil) void this.end();
  }

  /** The lane has no work: the turn ends soon. */
  rest(): void {
    if (this.#until === null || this.#cancelLinger !== null) return;
    this.#cancelLinger = this.#deps.timers.after(LINGER_MS, () => void this.end(), 'background');
  }

  /** Gives the lease back. A lease that could not be given back ends with the registration of the node. */
  async end(): Promise<void> {
    this.#cancelLinger?.();
    this.#cancelLinger = null;
    this.#until = null;
    this.#waiting = 0;
    if (!this.#hasLease) return;
    this.#hasLease = false;
    await this.#deps.leases?.release([this.#lease]).catch(() => undefined);
  }

  async #waitForLease(isHandedOn: boolean): Promise<void> {
    const { clock } = this.#deps;
    const since = clock.now();
    // Whoever waits is to be faster than the node that has just had its turn.
    if (isHandedOn) await this.#pause(POLL_MS);
    while (!(await this.#hasTaken())) {
      this.conflicted();
      const waited = clock.now() - since;
      if (waited >= LONGEST_WAIT_MS) return;
      await this.#pause(POLL_MS / (1 + waited / (4 * TURN_MS)));
    }
  }

  /** Without an answer, the unit goes ahead: it finds out itself what is wrong with the store. */
  async #hasTaken(): Promise<boolean> {
    try {
      const answer = await this.#deps.leases?.take([this.#lease]);
      this.#hasLease = answer?.taken.has(this.#lease) ?? false;
      return this.#hasLease;
    } catch {
      return true;
    }
  }

  #backoff(refusals: number): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(refusals, 10));
  }

  /** From half of `ms` to all of it. */
  #pause(ms: number): Promise<void> {
    const random = Number.parseInt(this.#deps.ids.uuid().slice(0, 8), 16) / 2 ** 32;
    return new Promise((resolve) => void this.#deps.timers.after((ms * (1 + random)) / 2, resolve));
  }
}
