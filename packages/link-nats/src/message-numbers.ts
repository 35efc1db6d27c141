/** Converts sequence numbers of a stream to message ids and back. */

const SECOND = 1_000_000_000n;

/**
 * An id is the base of the stream plus the sequence number in nanoseconds. Sequence numbers always increase, unlike
 * clocks, and an id alone tells where to resume. The base is the creation time of the stream, or a later time if the
 * stream was rolled back: either way, new ids are greater than all earlier ones.
 */
export class MessageNumbers {
  /** In nanoseconds since 1970. */
  readonly base: bigint;

  constructor(base: bigint) {
    this.base = base;
  }

  idOf(number: number): string {
    return idAt(this.base + BigInt(number));
  }

  /** The sequence number of an id; below 1 if the id is not after the base. */
  numberOf(id: string): bigint {
    return momentOf(id) - this.base;
  }
}

/** `text` is a time as the server formats it: ISO 8601 with up to nine fractional digits. */
export function nanosecondsOf(text: string): bigint {
  const [, whole = text, fraction = ''] = /^(.*?)(?:\.(\d+))?Z?$/.exec(text) ?? [];
  return BigInt(Math.floor(Date.parse(`${whole}Z`) / 1000)) * SECOND + fractionOf(fraction);
}

export const idAt = (moment: bigint): string =>
  `${String(moment / SECOND)}.${String(moment % SECOND).padStart(9, '0')}`;

export function momentOf(id: string): bigint {
  const [seconds = '0', fraction = ''] = id.split('.', 2);
  return BigInt(seconds) * SECOND + fractionOf(fraction);
}

const fractionOf = (digits: string): bigint => BigInt(digits.padEnd(9, '0').slice(0, 9));
