/**
 * Turns: where several nodes write to one policy, each runs its units for a short time, under a lease on the lane, so that they rarely
 * invalidate each other's. Turns only save work: a node that gets no lease, or loses it, is still held back by compare-and-set alone.
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
  /** `null` for a shared store without leases: there, units only wait a random time after a conflict. */
  readonly leases: TurnLeases | null;
  /** How a node that waits asks for the turn. `null` without leases. */
  readonly doorbell: Doorbell | null;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
}

/** How long a node keeps a turn while there is work, and how many of the units that waited for the turn run in it whatever that takes. */
const TURN_MS = 50;
/** How long a node keeps a turn that nobody asks for. */
const UNASKED_TURN_MS = 1_000;
const UNITS_AT_LEAST = 64;
/** How long it keeps a turn without work: the next send of a client that has just been answered may be on its way. */
const LINGER_MS = 3;
/** Pause before a turn that was given back is looked for, in which one of those that wait goes first; shorter for who has waited long. */
const RUNG_MS = 5;
/** Pause after a turn of one's own: whoever waits is to be faster. */
const HANDED_ON_MS = 10;
/** First and longest pause between looks for a turn whose end nobody has told of; each is longer than the one before. */
const FIRST_LOOK_MS = TURN_MS / 2;
const LAST_LOOK_MS = 250;
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

  /** Whether several nodes have written to the lane lately. */
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
  /** Rung by who waits for a turn. */
  readonly lease: string;
  /** Rung by who gives back a turn that others wait for. */
  readonly givenBack: string;
  #contendedUntil = -Infinity;
  /** When the turn of this node is over; `null` if it has none. */
  #until: number | null = null;
  /** The same, from when another node asks for it. */
  #askedUntil = 0;
  /** Units that waited for the turn and have not started. */
  #waiting = 0;
  #hasLease = false;
  #cancelLinger: (() => void) | null = null;
  /** Whether another node has asked since this one last gave a turn back. */
  #isAsked = false;
  /** Whether another node has given its turn back since this one last looked. */
  #isGivenBack = false;
  /** Ends the pause of this node, which waits for the lease. */
  #look: (() => void) | null = null;

  constructor(lane: Lane, deps: LaneTurnsDeps) {
    this.#deps = deps;
    this.lease = `turn/${lane}`;
    this.givenBack = `turn-given-back/${lane}`;
  }

  /** Whether a unit may start now: nobody else writes, or it is this node's turn. */
  get isOpen(): boolean {
    const now = this.#deps.clock.now();
    return !this.isContended || (this.#until !== null && (now < this.#until || this.#waiting > 0));
  }

  get isContended(): boolean {
    return this.#deps.clock.now() < this.#contendedUntil;
  }

  /** Another node waits for the turn. */
  asked(): void {
    this.#isAsked = true;
    if (this.#until !== null) this.#until = Math.min(this.#until, this.#askedUntil);
  }

  /** Another node has given its turn back. */
  ended(): void {
    this.#isGivenBack = true;
    this.#look?.();
  }

  /** Another node writes to the lane as well. */
  contended(): void {
    this.#contendedUntil = this.#deps.clock.now() + CONTENDED_MS;
  }

  /** Waits for a turn, and hands on the one that is over. `refusals`: of the first unit that waits. Never rejects. */
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
    await this.#deps.leases?.release([this.lease]).catch(() => undefined);
    if (this.#isAsked) this.#deps.doorbell?.ring(this.givenBack);
    this.#isAsked = false;
  }

  async #waitForLease(isHandedOn: boolean): Promise<void> {
    let waited = isHandedOn ? await this.#pause(HANDED_ON_MS) : 0;
    let next = FIRST_LOOK_MS;
    while (!(await this.#hasTaken())) {
      this.contended();
      // After each look in vain: whoever has the turn now may not know that it is waited for.
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

  /** At most `ms`. Resolves with the milliseconds that it has waited: a clock that is set back does not make them more. */
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

  /** Without an answer, the unit goes ahead: it finds out itself what is wrong with the store. */
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

  /** Resolves with the milliseconds that it has waited. */
  #pause(ms: number): Promise<number> {
    const jittered = this.#jittered(ms);
    return new Promise((resolve) => void this.#deps.timers.after(jittered, () => resolve(jittered)));
  }

  /** From half of `ms` to all of it. */
  #jittered(ms: number): number {
    const random = Number.parseInt(this.#deps.ids.uuid().slice(0, 8), 16) / 2 ** 32;
    return (ms * (1 + random)) / 2;
  }
}
