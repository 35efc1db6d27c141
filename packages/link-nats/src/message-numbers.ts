/** Message ids from the numbers of a stream, and back: the moment at which the stream was made, and as many nanoseconds as the message's number. */

const SECOND = 1_000_000_000n;

/**
 * Numbers of a stream only grow, which its clock may not; and the number alone says where to go on reading. A stream that
 * was removed and made again was made later, so its ids go on where those before it had ended.
 */
export class MessageNumbers {
  readonly #made: bigint;

  /** `made`: as the server writes it, with up to nine digits of a second. */
  constructor(made: string) {
    const [, whole = made, fraction = ''] = /^(.*?)(?:\.(\d+))?Z?$/.exec(made) ?? [];
    const seconds = BigInt(Math.floor(Date.parse(`${whole}Z`) / 1000));
    this.#made = seconds * SECOND + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  }

  idOf(number: number): string {
    const moment = this.#made + BigInt(number);
    return `${String(moment / SECOND)}.${String(moment % SECOND).padStart(9, '0')}`;
  }

  /** The number of the first message after that id; the first of all for an id from before the stream. */
  after(id: string): number {
    const [seconds = '0', fraction = ''] = id.split('.', 2);
    const moment = BigInt(seconds) * SECOND + BigInt(fraction.padEnd(9, '0').slice(0, 9));
    return moment < this.#made ? 1 : Number(moment - this.#made) + 1;
  }
}
