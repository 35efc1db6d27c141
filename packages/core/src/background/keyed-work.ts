/** Work under way by key, such as a policy: keys do not wait for each other, and each is worked on once at a time. */
import { InFlight } from './in-flight.js';

export class KeyedWork {
  readonly #underWay = new Set<string>();
  /** Of those under way, the ones that were looked for meanwhile. */
  readonly #again = new Set<string>();
  readonly #inFlight = new InFlight();

  /** `lookAgain`: called after work on a key that may have missed something. */
  constructor(private readonly lookAgain: () => void) {}

  /** The keys that are worked on. */
  get keys(): ReadonlySet<string> {
    return this.#underWay;
  }

  /** What is under way may not see what a look is about: it looks again when it ends. Call before looking. */
  noteLook(): void {
    for (const key of this.#underWay) this.#again.add(key);
  }

  /** Begins work that must not reject, on a key that is not under way. */
  begin(key: string, work: () => Promise<void>): void {
    this.#underWay.add(key);
    const ended = (): void => {
      this.#underWay.delete(key);
      if (this.#again.delete(key)) this.lookAgain();
    };
    this.#inFlight.add(work().then(ended));
  }

  /** Resolves when fewer than `limit` keys are under way. */
  below(limit: number): Promise<void> {
    return this.#inFlight.below(limit);
  }

  /** Resolves when none is under way. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }
}

/** Resolves when neither is under way: work may wake its worker, and a worker begins work. */
export async function bothIdle(worker: { idle(): Promise<void> }, work: KeyedWork): Promise<void> {
  do {
    await work.idle();
    await worker.idle();
  } while (work.keys.size > 0);
}
