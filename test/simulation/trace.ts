/** What happened in a simulation: a hash of every step, and the lines of the story that a person reads. */

/** Lines of the story that are kept: the last ones. */
const LINES = 20_000;

export class Trace {
  #high = 0x811c9dc5;
  #low = 0x9747b28c;
  readonly #lines: string[] = [];

  constructor(private readonly now: () => number) {}

  /** Adds a step to the hash. Returns a number that depends on the step alone, not on those before it. */
  step(label: string): number {
    const text = `${this.now()} ${label}`;
    this.#add(text);
    return numberOf(text);
  }

  /** Adds a line to the story, and to the hash. */
  tell(line: string): void {
    this.#add(line);
    const time = new Date(this.now()).toISOString();
    const days = Number(time.slice(8, 10)) - 1;
    this.#lines.push(`${days > 0 ? `day ${days + 1}, ` : ''}${time.slice(11, 23)} ${line}`);
    if (this.#lines.length > 2 * LINES) this.#lines.splice(0, LINES);
  }

  /** Of everything so far: equal for equal runs. */
  get hash(): string {
    return [this.#high, this.#low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  }

  get story(): readonly string[] {
    return this.#lines;
  }

  /** Two hashes of 32 bits, FNV-1a and one with another prime. */
  #add(text: string): void {
    let [high, low] = [this.#high, this.#low];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 13);
    }
    this.#high = Math.imul(high ^ 10, 0x01000193);
    this.#low = Math.imul(low ^ 10, 0x85ebca6b);
  }
}

/** FNV-1a. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
