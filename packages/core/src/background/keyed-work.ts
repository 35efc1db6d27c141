/**
 * Work in progress by key, such as a policy: keys do not wait for each other, and each is processed by one task at a
 * time.
 */
import { setImmediate } from 'node:timers/promises';
import { InFlight } from './in-flight.js';

export class KeyedWork {
  readonly #underWay = new Set<string>();
  /** Keys that were in progress during a later scan. */
  readonly #again = new Set<string>();
  readonly #inFlight = new InFlight();

  /**
   * `rescan`: called after work on a key that may have missed something. Other tasks of the process run first, so that
   * work and rescans that cause each other never starve it.
   */
  constructor(private readonly rescan: () => void) {}

  /** The keys in progress. */
  get keys(): ReadonlySet<string> {
    return this.#underWay;
  }

  /**
   * Call before scanning for work: work in progress may miss what this scan is about, so it triggers another one when
   * it ends. `concerns`: whether the scan is about that key; all keys when absent.
   */
  noteScan(concerns: (key: string) => boolean = () => true): void {
    for (const key of this.#underWay) if (concerns(key)) this.#again.add(key);
  }

  /** Starts work that must not reject, on a key that is not in progress. */
  begin(key: string, work: () => Promise<void>): void {
    this.#underWay.add(key);
    const ended = async (): Promise<void> => {
      this.#underWay.delete(key);
      if (!this.#again.delete(key)) return;
      await setImmediate();
      this.rescan();
    };
    this.#inFlight.add(work().then(ended));
  }

  /** Resolves when fewer than `limit` keys are in progress. */
  below(limit: number): Promise<void> {
    return this.#inFlight.below(limit);
  }

  /** Resolves when none is in progress. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }
}
