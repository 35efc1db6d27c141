/** A file of a simulated disk: its content, and the part of it that would survive a power cut. */

/** A number from 0 to 1 that decides what survives of unflushed data. */
export type Fate = () => number;

/** How many were made. */
let files = 0;

export class SimulatedFile {
  readonly id = String((files += 1));
  content: Buffer;
  #flushed: Buffer;
  /** Ranges whose flush failed; later flushes skip them, as on real systems. */
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

  /** A failed flush: the data can still be read, but may be lost despite later flushes. */
  failToFlush(): void {
    const [from, to] = this.#doubtful;
    const end = this.content.length;
    this.#doubtful = [from === to ? Math.min(this.#flushed.length, end) : from, end];
  }

  /** The content after a power cut: everything flushed, and a part of the rest, possibly with a hole of zeros. */
  survivor(fate: Fate): SimulatedFile {
    const { content } = this;
    const start = this.#flushed.length;
    const isShortened = content.length < start && this.#flushed.subarray(0, content.length).equals(content);
    if (isShortened && fate() >= 0.5) return new SimulatedFile(content);
    if (!content.subarray(0, start).equals(this.#flushed)) return new SimulatedFile(this.#flushed);
    const length = start + Math.floor(fate() * 1.2 * (content.length - start));
    const bytes = Buffer.from(content.subarray(0, Math.min(length, content.length)));
    if (fate() < 0.3) {
      const at = (share: number): number => start + Math.floor(share * (bytes.length - start));
      const [one, other] = [at(fate()), at(fate())];
      bytes.fill(0, Math.min(one, other), Math.max(one, other));
    }
    return new SimulatedFile(bytes);
  }
}
