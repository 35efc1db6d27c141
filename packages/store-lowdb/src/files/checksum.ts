/** CRC-32 checksums as eight hex digits. */
import { crc32 } from 'node:zlib';

export const formatChecksum = (sum: number): string => sum.toString(16).padStart(8, '0');

export const checksum = (bytes: string | Uint8Array): string => formatChecksum(crc32(bytes));

/** Continues the checksum `sum` with more bytes. */
export const extendChecksum = (bytes: Uint8Array, sum: number): number => crc32(bytes, sum);
