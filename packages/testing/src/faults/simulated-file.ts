/** A file of a simulated disk: what can be read of it, and what of that would survive a power cut. */

/** Between 0 and 1: what becomes of something that was not flushed. */
export type Fate = () => number;

export class SimulatedFile {
  content: Buffer;
  #flushed: Buffer;
  /** Where bytes stand that a flush has failed for: a later one passes over them, as on a real system. */
  #doubtful: readonly [from: number, to: number] = [0, 0];

  constructor(content: Buffer = Buffer.alloc(0)) {
    this.content = content;
    this.#flushed = content;
  }

  write(bytes: Uint8Array): void {
    this.content = Buffer.concat([this.content, bytes]);
  }

  /** Replaces the first bytes. */
  overwrite(bytes: Uint8Array): void {
    this.content = Buffer.concat([bytes, this.content.subarray(bytes.length)]);
  }

  truncate(length: number): void {
    this.content = this.content.subarray(0, length);
    const [from, to] = this.#doubtful;
    this.#doubtful = [Math.min(from, length), Math.min(to, length)];
  }

  flush(): void {
    const [from, to] = this.#doubtful;
    this.#flushed = from === to ? this.content : Buffer.from(this.content).fill(0, from, to);
  }

  /** A flush that failed: what it was for is still read, and may be lost whatever later flushes say. */
  failToFlush(): void {
    const [from, to] = this.#doubtful;
    const end = this.content.length;
    this.#doubtful = [from === to ? Math.min(this.#flushed.length, end) : from, end];
  }

  /** What is found when the power is back: what was flushed and, of what came after, a part, perhaps with a hole of zeros. */
  survivor(fate: Fate): SimulatedFile {
    const { content } = this;
    const start = this.#flushed.length;
    const isShortened = content.length < start && this.#flushed.subarray(0, content.length).equals(content);
    if (isShortened && fate() >= 0.5) return new SimulatedFile(content);
    if (!content.subarray(0, start).equals(this.#flushed)) return new SimulatedFile(this.#flushed);
    const length = start + Math.floor(fate() * 1.2 * (content.length - start));
    const kept = Buffer.from(content.subarray(0, Math.min(length, content.length)));
    if (fate() < 0.3) {
      const at = (share: number): number => start + Math.floor(share * (kept.length - start));
      const [one, other] = [at(fate()), at(fate())];
      kept.fill(0, Math.min(one, other), Math.max(one, other));
    }
    return new SimulatedFile(kept);
  }
}
