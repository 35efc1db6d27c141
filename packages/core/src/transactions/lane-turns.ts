/**
 * Turns: if several nodes write to one policy, each runs its units for a short time, under a lease on the lane, so that
 * they rarely invalidate each other's. Turns are an optimization: a node that gets no lease, or loses it, is still held
 * back by compare-and-set.
 */
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../lru-cache.js';
import { backoffMs, jittered } from '../ports/index.js';
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
/** How long a node keeps a turn that no other node requests. */
const UNREQUESTED_TURN_MS = 1_000;
/** How many units that waited for the turn run in it, however long they take. */
const UNITS_AT_LEAST = 64;
/** How long an idle node keeps its turn: the next send of a client that was just answered may be on its way. */
const LINGER_MS = 3;
/**
 * Wait time before trying for a turn that was returned, so that only one of the waiting nodes goes first; shorter for a
 * node that has waited long.
 */
const RETURNED_PAUSE_MS = 5;
/** Pause after returning a turn, so that waiting nodes are faster. */
const HANDED_OVER_PAUSE_MS = 10;
/**
 * First and longest pause between attempts to get a turn if no notification arrives; each is longer than the one
 * before.
 */
const FIRST_POLL_MS = TURN_MS / 2;
const LONGEST_POLL_MS = 250;
/** After this wait a node proceeds without a turn. The lease of a dead node is free before that. */
const LONGEST_WAIT_MS = 10_000;
/** How long a lane counts as contended after the last sign of contention. */
const CONTENDED_MS = 5_000;
const conflictPauses = { firstMs: 5, longestMs: 200 };
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
        if (rung === 'all') turn.onMaybeRequested();
        else if (rung.has(turn.lease)) turn.onRequested();
        if (rung === 'all' || rung.has(turn.returned)) turn.onReturned();
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
  readonly returned: string;
  #contendedUntil = -Infinity;
  /** When this node's turn ends; `null` if it has none. */
  #until: number | null = null;
  /** When it ends if another node requests it. */
  #requestedUntil = 0;
  /** Units that waited for the turn and have not started. */
  #waiting = 0;
  #hasLease = false;
  /** Settled when the last lease has been returned: one that is taken before would be returned with it. */
  #releasing: Promise<void> = Promise.resolve();
  #cancelLinger: (() => void) | null = null;
  /** Whether another node has requested a turn since this one last returned one. */
  #isRequested = false;
  /** Whether another node has returned its turn since the last attempt to get the lease. */
  #isReturned = false;
  /** Whether another node has written in this node's turn, and may not have heard of the turn yet. */
  #isIgnored = false;
  /** Ends this node's wait for the lease early. */
  #endWait: (() => void) | null = null;

  constructor(lane: Lane, deps: LaneTurnsDeps) {
    this.#deps = deps;
    this.lease = `turn/${lane}`;
    this.returned = `turn-given-back/${lane}`;
  }

  /** Whether a unit may start now: no other node writes, or it is this node's turn. */
  get isOpen(): boolean {
    const now = this.#deps.clock.now();
    if (!this.isContended) return true;
    return !this.#isIgnored && this.#until !== null && (now < this.#until || this.#waiting > 0);
  }

  get isContended(): boolean {
    return this.#deps.clock.now() < this.#contendedUntil;
  }

  /** Called when another node requests a turn, or has lost a unit in its turn to a node that does not take turns. */
  onRequested(): void {
    this.markContended();
    this.onMaybeRequested();
  }

  /** Called when a request for a turn may have been missed. */
  onMaybeRequested(): void {
    this.#isRequested = true;
    if (this.#until !== null) this.#until = Math.min(this.#until, this.#requestedUntil);
  }

  /** Called when another node has returned its turn. */
  onReturned(): void {
    this.#isReturned = true;
    this.#endWait?.();
  }

  /** Records that another node writes to the lane. */
  markContended(): void {
    this.#contendedUntil = this.#deps.clock.now() + CONTENDED_MS;
  }

  /**
   * Called when another node wrote before a unit of this one. A node whose units always win cannot know that it is not
   * alone until it is told.
   */
  onConflict(): void {
    this.markContended();
    if (!this.#hasLease) return;
    this.#isIgnored = true;
    this.#deps.doorbell?.ring(this.lease);
  }

  /** Waits for a turn, after returning one that is over. `conflicts`: of the first unit that waits. Never rejects. */
  async take(conflicts: number, queued: () => number): Promise<void> {
    if (this.#isIgnored) {
      // Time for the other node to hear of the turn, which goes on.
      await this.#pause(backoffMs(conflictPauses, conflicts + 1));
      this.#isIgnored = false;
      return;
    }
    const isHandedOver = this.#until !== null;
    await this.end();
    if (this.#deps.leases === null) await this.#pause(backoffMs(conflictPauses, conflicts + 1));
    else await this.#waitForLease(isHandedOver);
    const now = this.#deps.clock.now();
    this.#requestedUntil = now + TURN_MS;
    this.#until = now + (this.#deps.doorbell === null || this.#isRequested ? TURN_MS : UNREQUESTED_TURN_MS);
    this.#waiting = Math.min(queued(), UNITS_AT_LEAST);
  }

  /** Called when a unit of the lane starts. */
  onUnitStarted(): void {
    if (this.#waiting > 0) this.#waiting -= 1;
  }

  /** Called when the lane has work again. */
  onBusy(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = null;
    const now = this.#deps.clock.now();
    // No other node has written for a while.
    if (this.#until !== null && now >= this.#until && now >= this.#contendedUntil) void this.end();
  }

  /** Called when the lane has no work: the turn ends soon. */
  onIdle(): void {
    if (this.#until === null || this.#cancelLinger !== null) return;
    this.#cancelLinger = this.#deps.timers.after(LINGER_MS, () => void this.end(), 'background');
  }

  /** Returns the lease. A lease that could not be returned ends with the node's registration. */
  async end(): Promise<void> {
    this.#cancelLinger?.();
    this.#cancelLinger = null;
    this.#until = null;
    this.#waiting = 0;
    this.#isIgnored = false;
    if (this.#hasLease) {
      this.#hasLease = false;
      this.#releasing = this.#release();
    }
    await this.#releasing;
  }

  async #release(): Promise<void> {
    await this.#deps.leases?.release([this.lease]).catch(() => undefined);
    if (this.#isRequested) this.#deps.doorbell?.ring(this.returned);
    this.#isRequested = false;
  }

  async #waitForLease(isHandedOver: boolean): Promise<void> {
    let waited = isHandedOver ? await this.#pause(HANDED_OVER_PAUSE_MS) : 0;
    let next = FIRST_POLL_MS;
    while (!(await this.#hasTaken())) {
      this.markContended();
      // Rung after each failed attempt: the present holder may not know that this node waits.
      this.#deps.doorbell?.ring(this.lease);
      if (waited >= LONGEST_WAIT_MS) return;
      waited += await this.#pauseUntilReturned(next);
      if (!this.#isReturned) next = Math.min(LONGEST_POLL_MS, 2 * next);
      else {
        next = FIRST_POLL_MS;
        waited += await this.#pause(RETURNED_PAUSE_MS / (1 + waited / (4 * TURN_MS)));
      }
    }
  }

  /** Waits at most `ms`. Resolves with the milliseconds waited, never more even if the clock is set back. */
  #pauseUntilReturned(ms: number): Promise<number> {
    if (this.#isReturned) return Promise.resolve(0);
    const { clock, timers } = this.#deps;
    const [longest, since] = [jittered(ms, this.#deps.ids), clock.now()];
    return new Promise((resolve) => {
      const settle = (waited: number): void => {
        this.#endWait = null;
        cancel();
        resolve(waited);
      };
      const cancel = timers.after(longest, () => settle(longest));
      this.#endWait = () => settle(Math.min(longest, Math.max(0, clock.now() - since)));
    });
  }

  /** If the store does not answer, the unit proceeds and discovers the problem itself. */
  async #hasTaken(): Promise<boolean> {
    this.#isReturned = false;
    try {
      const answer = await this.#deps.leases?.take([this.lease]);
      this.#hasLease = answer?.taken.has(this.lease) ?? false;
      return this.#hasLease;
    } catch {
      return true;
    }
  }

  /** Resolves with the milliseconds waited. */
  #pause(ms: number): Promise<number> {
    const waited = jittered(ms, this.#deps.ids);
    return new Promise((resolve) => void this.#deps.timers.after(waited, () => resolve(waited)));
  }
}
