/** Opens a zip archive after checking its announced sizes against the limits. */
import { isUtf8 } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';
import { quote } from '../../model/quote.js';
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';
import type { PolicyFileLimits } from '../limits/limits.js';

export interface ZipArchive {
  /** Names of the files in the archive's order, without folders. */
  readonly names: readonly string[];
  /** The content of a file; `undefined` if there is no such file. @throws POLICY_FILE_INVALID if it is damaged. */
  unpack(name: string): Uint8Array | undefined;
}

/** Smaller entries may have any ratio. */
const RATIO_CHECKED_FROM = 1024 * 1024;

/** @throws POLICY_FILE_INVALID or POLICY_FILE_TOO_LARGE, naming the entry and the limit. */
export function openZip(bytes: Uint8Array, limits: PolicyFileLimits): ZipArchive {
  if (bytes.byteLength > limits.fileBytes) {
    throw fileTooLarge(`${bytes.byteLength} bytes, more than the limit of ${limits.fileBytes}`);
  }
  const entries = new Map<string, ZipEntry>();
  let total = 0;
  for (const entry of readZipDirectory(bytes, limits.entries)) {
    if (entries.has(entry.name)) throw fileInvalid(`the archive has two entries called "${entry.name}"`);
    assertWithinLimits(entry, limits);
    total += entry.size;
    if (total > limits.totalBytes)
      throw fileTooLarge(`it unpacks to more than the limit of ${limits.totalBytes} bytes`);
    entries.set(entry.name, entry);
  }
  return {
    names: [...entries.keys()].filter((name) => !name.endsWith('/')),
    unpack: (name) => {
      const entry = entries.get(name);
      return entry === undefined ? undefined : unpackEntry(bytes, entry);
    },
  };
}

function assertWithinLimits({ name, method, size, packedSize }: ZipEntry, limits: PolicyFileLimits): void {
  if (method !== 0 && method !== 8) {
    throw fileInvalid(`the entry "${name}" is packed by method ${method}; only stored (0) and deflated (8) are read`);
  }
  if (size > limits.entryBytes) {
    throw fileTooLarge(`the entry "${name}" unpacks to ${size} bytes, more than the limit of ${limits.entryBytes}`);
  }
  if (size >= RATIO_CHECKED_FROM && size > packedSize * limits.ratio) {
    const ratio = packedSize === 0 ? 'nothing' : `1/${Math.floor(size / packedSize)}`;
    throw fileTooLarge(`the entry "${name}" is packed to ${ratio} of its size, beyond the limit of 1/${limits.ratio}`);
  }
}

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;

/** @throws POLICY_FILE_INVALID if size or checksum differ from what the archive announces. */
function unpackEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
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

interface ZipEntry {
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
function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipEntry[] {
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

/** Old archives use an undeclared code page; the names that matter are ASCII. */
function entryName(bytes: Uint8Array, flaggedUtf8: boolean): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer) && flaggedUtf8)
    throw fileInvalid(`the name of an entry is not UTF-8: ${quote(buffer.toString('latin1'))}`);
  const written = buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
  // Some programs for Windows separate folders by backslashes, against the specification (section 4.4.17).
  const name = written.replaceAll('\\', '/');
  const reason = problem(name);
  if (reason !== '') throw fileInvalid(`the entry ${quote(written)} ${reason}`);
  return name;
}

function problem(name: string): string {
  if (name === '') return 'has no name';
  if (name.includes('\0')) return 'has a NUL character in its name';
  if (name.startsWith('/')) return 'has an absolute name';
  if (/^[a-z]:/i.test(name)) return 'names a drive';
  if (name.split('/').includes('..')) return 'has a name that leads out of the archive ("..")';
  return '';
}
