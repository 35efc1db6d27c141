/**
 * Turns: if several nodes write to one policy, each runs its units for a short time, under a lease on the lane, so that
 * they rarely invalidate each other's. Turns are an optimization: a node that gets no lease, or loses it, is still held
 * back by compare-and-set.
 */
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../lru-cache.js';
import type { Clock, Doorbell, Ids, LeaseAnswer, Timers } from '../ports/index.js';
import type { Lane } from './revision-keys.js';

/** The leases of this node. Methods reject with `STORE_UNAVAILABLE`. */
export interface TurnLeases {
  take(names: readonly string[]): Promise<Pick<LeaseAnswer, 'taken'>>;
  release(names: readonly string[]): Promise<void>;
}

export interface LaneTurnsDeps {
  /** `null` for a shared store without leases: units then only wait a random time after a conflict. */
  readonly leases: TurnLeases | null;
  /** Requests turns from other nodes. `null` without leases. */
  readonly doorbell: Doorbell | null;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
}

/** How long a node keeps a turn while it has work. */
const TURN_MS = 50;
/** How long a node keeps a turn that no other node asks for. */
const UNASKED_TURN_MS = 1_000;
/** How many units that waited for the turn run in it, however long they take. */
const UNITS_AT_LEAST = 64;
/** How long an idle node keeps its turn: the next send of a client that was just answered may be on its way. */
const LINGER_MS = 3;
/**
 * Wait time before trying for a turn that was returned, so that only one of the waiting nodes goes first; shorter for a
 * node that has waited long.
 */
const RUNG_MS = 5;
/** Pause after returning a turn, so that waiting nodes are faster. */
const HANDED_ON_MS = 10;
/**
 * First and longest pause between attempts to get a turn if no notification arrives; each is longer than the one
 * before.
 */
const FIRST_LOOK_MS = TURN_MS / 2;
const LAST_LOOK_MS = 250;
/** After this wait a node proceeds without a turn. The lease of a dead node is free before that. */
const LONGEST_WAIT_MS = 10_000;
/** How long a lane counts as contended after the last sign of contention. */
const CONTENDED_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
const LANES_AT_MOST = 1_000;

export class LaneTurns {
  readonly #deps: LaneTurnsDeps;
  /** The lanes that were contended recently. */
  readonly #turns: LRUCache<string, LaneTurn>;

  constructor(deps: LaneTurnsDeps) {
    this.#deps = deps;
    this.#turns = lruCache(LANES_AT_MOST, (turn) => void turn.end());
    deps.doorbell?.subscribe((rung) => {
      for (const turn of this.#turns.values()) {
        if (rung === 'all' || rung.has(turn.lease)) turn.asked();
        if (rung === 'all' || rung.has(turn.givenBack)) turn.ended();
      }
    });
  }

  /** Whether several nodes have written to the lane recently. */
  isContended(lane: Lane): boolean {
    return this.#turns.peek(lane)?.isContended ?? false;
  }

  of(lane: Lane): LaneTurn {
    let turn = this.#turns.get(lane);
    if (turn === undefined) this.#turns.set(lane, (turn = new LaneTurn(lane, this.#deps)));
    return turn;
  }
}

export class LaneTurn {
  readonly #deps: LaneTurnsDeps;
  /** Name rung by a node that waits for a turn. */
  readonly lease: string;
  /** Name rung by a node that returns a turn others wait for. */
  readonly givenBack: string;
  #contendedUntil = -Infinity;
  /** When this node's turn ends; `null` if it has none. */
  #until: number | null = null;
  /** When it ends if another node asks for it. */
  #askedUntil = 0;
  /** Units that waited for the turn and have not started. */
  #waiting = 0;
  #hasLease = false;
  #cancelLinger: (() => void) | null = null;
  /** Whether another node has asked since this one last returned a turn. */
  #isAsked = false;
  /** Whether another node has returned its turn since this one last looked. */
  #isGivenBack = false;
  /** Ends this node's wait for the lease early. */
  #look: (() => void) | null = null;

  constructor(lane: Lane, deps: LaneTurnsDeps) {
    this.#deps = deps;
    this.lease = `turn/${lane}`;
    this.givenBack = `turn-given-back/${lane}`;
  }

  /** Whether a unit may start now: no other node writes, or it is this node's turn. */
  get isOpen(): boolean {
    const now = this.#deps.clock.now();
    return !this.isContended || (this.#until !== null && (now < this.#until || this.#waiting > 0));
  }

  get isContended(): boolean {
    return this.#deps.clock.now() < this.#contendedUntil;
  }

  /** Records that another node waits for the turn. */
  asked(): void {
    this.#isAsked = true;
    if (this.#until !== null) this.#until = Math.min(this.#until, this.#askedUntil);
  }

  /** Records that another node has returned its turn. */
  ended(): void {
    this.#isGivenBack = true;
    this.#look?.();
  }

  /** Records that another node writes to the lane. */
  contended(): void {
    this.#contendedUntil = this.#deps.clock.now() + CONTENDED_MS;
  }

  /** Waits for a turn, after returning one that is over. `refusals`: of the first unit that waits. Never rejects. */
  async take(refusals: number, queued: () => number): Promise<void> {
    const isHandedOn = this.#until !== null;
    await this.end();
    if (this.#deps.leases === null) await this.#pause(this.#backoff(refusals));
    else await this.#waitForLease(isHandedOn);
    const now = this.#deps.clock.now();
    this.#askedUntil = now + TURN_MS;
    this.#until = now + (this.#deps.doorbell === null || this.#isAsked ? TURN_MS : UNASKED_TURN_MS);
    this.#waiting = Math.min(queued(), UNITS_AT_LEAST);
  }

  /** Called when a unit of the lane starts. */
  started(): void {
    if (this.#waiting > 0) this.#waiting -= 1;
  }

  /** Called when the lane has work again. */
  resume(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = null;
    const now = this.#deps.clock.now();
    // No other node has written for a while.
    if (this.#until !== null && now >= this.#until && now >= this.#contendedUntil) void this.end();
  }

  /** Called when the lane has no work: the turn ends soon. */
  rest(): void {
    if (this.#until === null || this.#cancelLinger !== null) return;
    this.#cancelLinger = this.#deps.timers.after(LINGER_MS, () => void this.end(), 'background');
  }

  /** Returns the lease. A lease that could not be returned ends with the node's registration. */
  async end(): Promise<void> {
    this.#cancelLinger?.();
    this.#cancelLinger = null;
    this.#until = null;
    this.#waiting = 0;
    if (!this.#hasLease) return;
    this.#hasLease = false;
    await this.#deps.leases?.release([this.lease]).catch(() => undefined);
    if (this.#isAsked) this.#deps.doorbell?.ring(this.givenBack);
    this.#isAsked = false;
  }

  async #waitForLease(isHandedOn: boolean): Promise<void> {
    let waited = isHandedOn ? await this.#pause(HANDED_ON_MS) : 0;
    let next = FIRST_LOOK_MS;
    while (!(await this.#hasTaken())) {
      this.contended();
      // Rung after each failed attempt: the present holder may not know that this node waits.
      this.#deps.doorbell?.ring(this.lease);
      if (waited >= LONGEST_WAIT_MS) return;
      waited += await this.#pauseUntilGivenBack(next);
      if (!this.#isGivenBack) next = Math.min(LAST_LOOK_MS, 2 * next);
      else {
        next = FIRST_LOOK_MS;
        waited += await this.#pause(RUNG_MS / (1 + waited / (4 * TURN_MS)));
      }
    }
  }

  /** Waits at most `ms`. Resolves with the milliseconds waited, never more even if the clock is set back. */
  #pauseUntilGivenBack(ms: number): Promise<number> {
    if (this.#isGivenBack) return Promise.resolve(0);
    const { clock, timers } = this.#deps;
    const [longest, since] = [this.#jittered(ms), clock.now()];
    return new Promise((resolve) => {
      const settle = (waited: number): void => {
        this.#look = null;
        cancel();
        resolve(waited);
      };
      const cancel = timers.after(longest, () => settle(longest));
      this.#look = () => settle(Math.min(longest, Math.max(0, clock.now() - since)));
    });
  }

  /** If the store does not answer, the unit proceeds and discovers the problem itself. */
  async #hasTaken(): Promise<boolean> {
    this.#isGivenBack = false;
    try {
      const answer = await this.#deps.leases?.take([this.lease]);
      this.#hasLease = answer?.taken.has(this.lease) ?? false;
      return this.#hasLease;
    } catch {
      return true;
    }
  }

  #backoff(refusals: number): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(refusals, 10));
  }

  /** Resolves with the milliseconds waited. */
  #pause(ms: number): Promise<number> {
    const jittered = this.#jittered(ms);
    return new Promise((resolve) => void this.#deps.timers.after(jittered, () => resolve(jittered)));
  }

  /** A random time between half of `ms` and all of it. */
  #jittered(ms: number): number {
    const random = Number.parseInt(this.#deps.ids.uuid().slice(0, 8), 16) / 2 ** 32;
    return (ms * (1 + random)) / 2;
  }
}
