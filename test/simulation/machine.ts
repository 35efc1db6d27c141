/**
 * Takes the machine out of a simulation. Code that yields to the event loop, sleeps or reads the machine's clock gets all
 * of that from the simulation while it runs, so nothing but the seed decides what comes when.
 *
 * What has to be settled is known exactly: `process.nextTick` runs once no microtask is left, so a step is over when a
 * tick comes and no code has yielded meanwhile. No turn of the event loop is involved, which is also what makes a step
 * take microseconds.
 */
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

interface Time {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** Steps between two real turns of the event loop, in which the program around can do its own work. */
const STEPS_PER_TURN = 2_000;

const realImmediate = globalThis.setImmediate;

export class Machine {
  readonly #yields: (() => void)[] = [];
  #steps = 0;

  /** Runs the simulation with the machine taken out, and puts it back in the end. */
  async without<T>(time: () => Time, simulate: () => Promise<T>): Promise<T> {
    const { setTimeout, clearTimeout } = globalThis;
    const now = performance.now.bind(performance);
    const { setImmediate: immediate, setTimeout: pause } = timersPromises;
    const cancels = new Map<number, () => void>();
    const replaceable = timersPromises as { setImmediate: unknown; setTimeout: unknown };
    const wake = (run: () => void, ms = 0): number => {
      const id = cancels.size + 1;
      cancels.set(id, time().after(ms, run));
      return id;
    };
    replaceable.setImmediate = (value: unknown) =>
      new Promise((resolve) => void this.#yields.push(() => resolve(value)));
    replaceable.setTimeout = (ms: number, value: unknown) =>
      new Promise((resolve) => void wake(() => resolve(value), ms));
    globalThis.setTimeout = wake as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((id: number) => cancels.get(id)?.()) as typeof clearTimeout;
    performance.now = () => time().now();
    syncBuiltinESMExports();
    try {
      return await simulate();
    } finally {
      replaceable.setImmediate = immediate;
      replaceable.setTimeout = pause;
      Object.assign(globalThis, { setTimeout, clearTimeout });
      performance.now = now;
      syncBuiltinESMExports();
    }
  }

  /** Resolves when nothing can go on without another event. */
  async settle(): Promise<void> {
    await quiet();
    while (this.#yields.length > 0) {
      for (const resume of this.#yields.splice(0)) resume();
      await quiet();
    }
    this.#steps += 1;
    if (this.#steps % STEPS_PER_TURN === 0) await new Promise<void>((resolve) => void realImmediate(resolve));
  }
}

/** Resolves when no microtask is left. */
const quiet = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
