/** Converts sequence numbers of a stream to message ids and back. */

const SECOND = 1_000_000_000n;

/**
 * An id is the creation time of the stream plus the sequence number in nanoseconds. Sequence numbers always increase, which
 * clocks may not, and an id alone tells where to resume. A recreated stream has a later creation time, so its ids continue
 * after those of the removed one.
 */
export class MessageNumbers {
  readonly #created: bigint;

  /** `created` is as the server writes it: ISO 8601 with up to nine fractional digits. */
  constructor(created: string) {
    const [, whole = created, fraction = ''] = /^(.*?)(?:\.(\d+))?Z?$/.exec(created) ?? [];
    const seconds = BigInt(Math.floor(Date.parse(`${whole}Z`) / 1000));
    this.#created = seconds * SECOND + nanoseconds(fraction);
  }

  idOf(number: number): string {
    const moment = this.#created + BigInt(number);
    return `${String(moment / SECOND)}.${String(moment % SECOND).padStart(9, '0')}`;
  }

  /** The number of the first message after that id; 1 for an id from before the stream. */
  after(id: string): number {
    const [seconds = '0', fraction = ''] = id.split('.', 2);
    const moment = BigInt(seconds) * SECOND + nanoseconds(fraction);
    return moment < this.#created ? 1 : Number(moment - this.#created) + 1;
  }
}

const nanoseconds = (fraction: string): bigint => BigInt(fraction.padEnd(9, '0').slice(0, 9));
