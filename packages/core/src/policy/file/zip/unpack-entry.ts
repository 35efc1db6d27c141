/** Unpacks one entry of a zip archive, using no more memory than its announced size. */
import { crc32, inflateRawSync } from 'node:zlib';
import { fileInvalid } from '../limits/file-errors.js';
import type { ZipEntry } from './directory.js';

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;

/** @throws POLICY_FILE_INVALID if size or checksum differ from what the archive announces. */
export function unpackEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const packed = packedBytes(bytes, entry);
  const unpacked = entry.method === 0 ? packed : inflate(packed, entry);
  if (unpacked.byteLength !== entry.size) {
    throw fileInvalid(
      `the entry "${entry.name}" has ${unpacked.byteLength} bytes, but the archive announces ${entry.size}`,
    );
  }
  if (crc32(unpacked) !== entry.crc32)
    throw fileInvalid(`the entry "${entry.name}" is damaged (its checksum does not fit)`);
  return unpacked;
}

function packedBytes(bytes: Uint8Array, { name, offset, packedSize }: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (offset + LOCAL_SIZE > bytes.byteLength || view.getUint32(offset, true) !== LOCAL_SIGNATURE) {
    throw fileInvalid(`the archive has no data where it says that the entry "${name}" begins`);
  }
  const start = offset + LOCAL_SIZE + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packedSize > bytes.byteLength) throw fileInvalid(`the archive breaks off inside the entry "${name}"`);
  return bytes.subarray(start, start + packedSize);
}

function inflate(packed: Uint8Array, { name, size }: ZipEntry): Uint8Array {
  try {
    // With one byte more than announced, zlib stops a longer stream immediately.
    return inflateRawSync(packed, { maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) });
  } catch (cause) {
    const longer = cause instanceof RangeError;
    const reason = longer ? `unpacks to more than the ${size} bytes that the archive announces` : 'cannot be unpacked';
    throw fileInvalid(`the entry "${name}" ${reason}`, undefined, cause);
  }
}
