/** The messages that were sent to one topic, as 28 bytes each: moment, hash, and the place of their transaction. */
import { createHash } from 'node:crypto';

const HASH_BYTES = 16;

export class SentMessages {
  /** Hashes of those that may be on the ledger or not, and how many of each. */
  readonly #undecided = new Map<string, number>();
  #moments = new BigUint64Array(16);
  #places = new Uint32Array(16);
  #hashes = new Uint8Array(16 * HASH_BYTES);
  #length = 0;
  /** Places in these lists, in the order of the moments; made when first asked for. */
  #order: Uint32Array | undefined;

  add(moment: bigint, text: string, place: number): void {
    if (this.#length === this.#moments.length) this.#grow();
    const at = this.#length;
    this.#moments[at] = moment;
    this.#places[at] = place;
    this.#hashes.set(hashOf(text), at * HASH_BYTES);
    this.#length += 1;
    this.#order = undefined;
  }

  addUndecided(text: string): void {
    const key = hashOf(text).toString('hex');
    this.#undecided.set(key, (this.#undecided.get(key) ?? 0) + 1);
  }

  /** Whether such a message was among the undecided ones, from which it is taken. */
  takeUndecided(content: Uint8Array): boolean {
    const key = hashOf(content).toString('hex');
    const count = this.#undecided.get(key) ?? 0;
    if (count > 0) this.#undecided.set(key, count - 1);
    return count > 0;
  }

  get length(): number {
    return this.#length;
  }

  /** Moment and place of the n-th by moment. */
  nth(n: number): { readonly moment: bigint; readonly place: number } {
    const at = this.#sorted()[n] ?? 0;
    return { moment: this.#moments[at] ?? 0n, place: this.#places[at] ?? 0 };
  }

  /** Number of the message at the moment among those sorted by moment; -1 for none. */
  find(moment: bigint): number {
    const order = this.#sorted();
    let [low, high] = [0, this.#length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#moments[order[middle] ?? 0] ?? 0n;
      if (found === moment) return middle;
      if (found < moment) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Whether the n-th by moment was sent with this content. */
  isSame(n: number, content: Uint8Array): boolean {
    const at = (this.#sorted()[n] ?? 0) * HASH_BYTES;
    return hashOf(content).equals(this.#hashes.subarray(at, at + HASH_BYTES));
  }

  #sorted(): Uint32Array {
    this.#order ??= Uint32Array.from({ length: this.#length }, (_, at) => at).sort((a, b) => {
      const difference = (this.#moments[a] ?? 0n) - (this.#moments[b] ?? 0n);
      return difference < 0n ? -1 : Number(difference > 0n);
    });
    return this.#order;
  }

  #grow(): void {
    const [moments, places, hashes] = [this.#moments, this.#places, this.#hashes];
    this.#moments = new BigUint64Array(moments.length * 2);
    this.#moments.set(moments);
    this.#places = new Uint32Array(places.length * 2);
    this.#places.set(places);
    this.#hashes = new Uint8Array(hashes.length * 2);
    this.#hashes.set(hashes);
  }
}

const hashOf = (content: string | Uint8Array): Buffer =>
  createHash('sha256').update(content).digest().subarray(0, HASH_BYTES);
