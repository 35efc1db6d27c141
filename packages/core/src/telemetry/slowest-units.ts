/** The slowest units of work of one engine, recorded even without telemetry subscribers. */

/** A unit of work that ran blocks. */
export interface SlowUnit {
  readonly cause: 'send' | 'external' | 'tick' | 'retry' | 'request';
  readonly policyId: string;
  /** The tag of the first block, or its uuid if the tag is unknown. */
  readonly block: string;
  /** When it ended, ISO 8601. */
  readonly at: string;
  /** Milliseconds, from the queue to the disk. */
  readonly ms: number;
  /** How often it ran before it was committed; `null` if it failed. */
  readonly attempts: number | null;
  /** Why it failed; `null` if it was committed. */
  readonly code: string | null;
}

/** Number of units kept per time span, and the length of a span. */
const [KEPT, SPAN_MS] = [20, 1_800_000];

export class SlowestUnits {
  /** Slowest first. */
  #units: SlowUnit[] = [];
  #previous: readonly SlowUnit[] = [];
  #since: number;

  /** `now`: milliseconds since the epoch, by the clock of the engine. */
  constructor(readonly now: () => number) {
    this.#since = now();
  }

  /** `began`: by the same clock. */
  note(began: number, facts: Omit<SlowUnit, 'at' | 'ms'>): void {
    const least = this.#units.length < KEPT ? -1 : (this.#units.at(-1)?.ms ?? -1);
    const now = this.now();
    const unit = { ...facts, ms: Math.max(0, now - began) };
    const isSpanOver = Math.abs(now - this.#since) >= SPAN_MS;
    if (unit.ms <= least && !isSpanOver) return;
    if (isSpanOver) this.#beginSpan(now);
    const at = this.#units.findIndex(({ ms }) => ms < unit.ms);
    this.#units.splice(at === -1 ? this.#units.length : at, 0, { ...unit, at: new Date(now).toISOString() });
    this.#units.length = Math.min(this.#units.length, KEPT);
  }

  /** At most 20, slowest first, of the last 30 to 60 minutes. */
  list(): SlowUnit[] {
    const now = this.now();
    if (Math.abs(now - this.#since) >= SPAN_MS) this.#beginSpan(now);
    return [...this.#units, ...this.#previous].sort((a, b) => b.ms - a.ms).slice(0, KEPT);
  }

  #beginSpan(now: number): void {
    this.#previous = Math.abs(now - this.#since) < 2 * SPAN_MS ? this.#units : [];
    this.#units = [];
    this.#since = now;
  }
}
