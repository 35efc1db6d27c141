/** The only source of order in a simulation: everything that happens is an event of its queue, at a virtual time. */
import type { Life } from './life.js';
import type { Machine } from './machine.js';
import type { Random } from '../support/random.js';
import { Trace } from './trace.js';

interface Event {
  readonly at: number;
  /** Decides among events of one moment. */
  readonly chance: number;
  readonly order: number;
  readonly life: Life | null;
  readonly label: string;
  readonly run: () => void;
}

/** 2026-01-01T00:00:00Z, in milliseconds. */
export const START = Date.UTC(2026, 0, 1);

export class Scheduler {
  /** Milliseconds since 1970. */
  now = START;
  steps = 0;
  readonly trace = new Trace(() => this.now);
  readonly #heap: Event[] = [];
  #scheduled = 0;

  constructor(
    private readonly seed: number,
    readonly random: Random,
    private readonly machine: Machine,
  ) {}

  /**
   * Runs `run` in so many milliseconds: for a life, only if it is not over by then, and after the pause that it is in.
   * Returns a function that cancels it.
   */
  after(ms: number, life: Life | null, label: string, run: () => void): () => void {
    let isCancelled = false;
    this.#push({
      at: this.now + Math.max(0, ms),
      chance: this.random.next(),
      order: (this.#scheduled += 1),
      life,
      label,
      run: () => {
        if (!isCancelled) run();
      },
    });
    return () => {
      isCancelled = true;
    };
  }

  /** Resolves after so many milliseconds, as `after`; never if the life is over by then. */
  pass(ms: number, life: Life | null, label: string): Promise<void> {
    return new Promise((resolve) => void this.after(ms, life, label, resolve));
  }

  /** Runs the next event and everything that follows without another one. False if there is none before `until`. */
  async step(until = Infinity): Promise<boolean> {
    const event = this.#heap[0];
    if (event === undefined || event.at > until) {
      if (until !== Infinity) this.now = Math.max(this.now, until);
      return false;
    }
    this.#pop();
    this.now = Math.max(this.now, event.at);
    const { life } = event;
    if (life?.isOver === true) return true;
    if (life !== null && life.pausedUntil > this.now) {
      this.#push({ ...event, at: life.pausedUntil });
      return true;
    }
    this.steps += 1;
    // What an event decides depends on itself alone: without another one before it, it still happens alike.
    this.random.restart(this.trace.step(event.label) ^ this.seed);
    event.run();
    await this.machine.settle();
    return true;
  }

  /** Resolves when what was begun outside an event can go no further without one. */
  settle(): Promise<void> {
    return this.machine.settle();
  }

  /** A binary heap: no event is before its parent. */
  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    for (let above = (at - 1) >> 1; at > 0; above = (at - 1) >> 1) {
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, event)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const next = isRight ? right : left;
      if (isBefore(last, next)) break;
      heap[at] = next;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  if (one.at !== other.at) return one.at < other.at;
  return one.chance === other.chance ? one.order < other.order : one.chance < other.chance;
}
