/** Checksums that show whether a file still says what was written: CRC-32 as eight hex digits. */
import { crc32 } from 'node:zlib';

export const checksumText = (sum: number): string => sum.toString(16).padStart(8, '0');

export const checksum = (bytes: string | Uint8Array): string => checksumText(crc32(bytes));

/** The checksum of what came before, with `bytes` behind it. */
export const addToChecksum = (bytes: Uint8Array, before: number): number => crc32(bytes, before);
