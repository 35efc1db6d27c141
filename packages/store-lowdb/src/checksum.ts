/** Checksums that show whether a file still says what was written. */
import { crc32 } from 'node:zlib';

/** Eight hex digits for a CRC-32. */
const hex = (sum: number): string => sum.toString(16).padStart(8, '0');

export const checksum = (bytes: string | Uint8Array): string => hex(crc32(bytes));

/** Adds up a checksum over several parts. */
export class RunningChecksum {
  #sum = 0;

  add<Bytes extends string | Uint8Array>(bytes: Bytes): Bytes {
    this.#sum = crc32(bytes, this.#sum);
    return bytes;
  }

  get hex(): string {
    return hex(this.#sum);
  }
}
