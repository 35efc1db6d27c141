/** Reads the central directory of a zip archive (PKWARE APPNOTE 6.3, sections 4.3.12 and 4.3.16). */
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';
import { entryName } from './entry-name.js';

export interface ZipEntry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly crc32: number;
  readonly packedSize: number;
  /** As announced by the archive, which can lie. */
  readonly size: number;
  /** Offset of the entry's local header. */
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_SIZE = 46;
/** A comment of up to 64 KiB may follow the end record. */
const LONGEST_COMMENT = 0xffff;
const ENCRYPTED = 0x0001;
const UTF8_NAME = 0x0800;
const ONLY_IN_ZIP64 = 0xffffffff;

/** @throws POLICY_FILE_INVALID; POLICY_FILE_TOO_LARGE for more than `maxEntries` entries. */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let offset = view.getUint32(end + 16, true);
  if (count === 0xffff || offset === ONLY_IN_ZIP64) {
    throw fileInvalid('it is a zip64 archive, a form for archives far over any limit here');
  }
  if (count > maxEntries) throw fileTooLarge(`${count} entries, more than the limit of ${maxEntries}`);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    const tail = offset + ENTRY_SIZE <= end ? tailLength(view, offset) : Infinity;
    if (offset + ENTRY_SIZE + tail > end || view.getUint32(offset, true) !== ENTRY_SIGNATURE) {
      throw fileInvalid(`the archive's table of contents breaks off at entry ${index + 1} of ${count}`);
    }
    entries.push(readEntry(view, offset, bytes));
    offset += ENTRY_SIZE + tail;
  }
  return entries;
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_SIZE;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  throw fileInvalid('it is not a zip archive, or it is cut off');
}

/** Length of name, extra fields and comment, which follow the fixed part of a record. */
const tailLength = (view: DataView, at: number): number =>
  view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);

function readEntry(view: DataView, at: number, bytes: Uint8Array): ZipEntry {
  const flags = view.getUint16(at + 8, true);
  const nameStart = at + ENTRY_SIZE;
  const nameBytes = bytes.subarray(nameStart, nameStart + view.getUint16(at + 28, true));
  const name = entryName(nameBytes, (flags & UTF8_NAME) !== 0);
  if ((flags & ENCRYPTED) !== 0) throw fileInvalid(`the entry "${name}" is encrypted`);
  return {
    name,
    method: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
}
