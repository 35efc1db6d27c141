/** Writes zip archives (PKWARE APPNOTE 6.3). Deterministic: names are UTF-8, and every entry has the same date. */
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { LoopShare } from '../../../loop-share.js';
import { fileTooLarge } from '../limits/file-errors.js';

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x0800;
const VERSION = 20;
/** The earliest date the format supports: 1 January 1980. */
const DATE = 0x0021;
const MOST_ENTRIES = 0xffff;
/** Readers reject large entries with a much higher compression ratio as zip bombs. */
const LARGE = 1024 * 1024;
const CLOSEST = 100;

/**
 * @param files contents by name, in the order of the archive.
 * @throws POLICY_FILE_TOO_LARGE for more entries than an archive can have.
 */
export function writeZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  assertFew(files);
  const archive = new WrittenArchive();
  for (const [name, content] of files) archive.add(name, content, deflateRawSync(content));
  return archive.end();
}

const deflate = promisify(deflateRaw);
/** Smaller contents are compressed sooner here than by another thread. */
const SMALL = 16 * 1024;

/** As `writeZip`, with the rest of the process running meanwhile. */
export async function zipped(files: ReadonlyMap<string, Uint8Array>, share: LoopShare): Promise<Uint8Array> {
  assertFew(files);
  const archive = new WrittenArchive();
  for (const [name, content] of files) {
    archive.add(name, content, content.byteLength < SMALL ? deflateRawSync(content) : await deflate(content));
    await share.giveWay();
  }
  return archive.end();
}

function assertFew({ size }: ReadonlyMap<string, Uint8Array>): void {
  if (size >= MOST_ENTRIES) throw fileTooLarge(`${size} entries, more than a zip archive can have`);
}

class WrittenArchive {
  readonly #entries: Buffer[] = [];
  readonly #directory: Buffer[] = [];
  #offset = 0;

  add(name: string, content: Uint8Array, deflated: Uint8Array): void {
    const { local, central } = packed(name, content, deflated, this.#offset);
    this.#entries.push(local);
    this.#directory.push(central);
    this.#offset += local.byteLength;
  }

  end(): Uint8Array {
    const size = this.#directory.reduce((sum, each) => sum + each.byteLength, 0);
    return Buffer.concat([...this.#entries, ...this.#directory, end(this.#entries.length, size, this.#offset)]);
  }
}

function packed(
  name: string,
  content: Uint8Array,
  deflated: Uint8Array,
  offset: number,
): { local: Buffer; central: Buffer } {
  const isStored = content.byteLength >= LARGE && content.byteLength > deflated.byteLength * CLOSEST;
  const data = isStored ? content : deflated;
  const nameBytes = Buffer.from(name, 'utf8');
  const facts = entryFacts(isStored ? STORED : DEFLATED, content, data.byteLength, nameBytes.byteLength);
  return {
    local: Buffer.concat([signature(0x04034b50), facts, nameBytes, data]),
    central: Buffer.concat([signature(0x02014b50), shorts(VERSION), facts, centralTail(offset), nameBytes]),
  };
}

/**
 * Fields common to both headers of an entry: version, flags, method, time, date, checksum, sizes, lengths of name and
 * extra field.
 */
function entryFacts(method: number, content: Uint8Array, packedSize: number, nameLength: number): Buffer {
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(crc32(content), 0);
  sizes.writeUInt32LE(packedSize, 4);
  sizes.writeUInt32LE(content.byteLength, 8);
  return Buffer.concat([shorts(VERSION, UTF8_NAME, method, 0, DATE), sizes, shorts(nameLength, 0)]);
}

/** No comment, first disk, no attributes, and the offset of the local header. */
function centralTail(offset: number): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return tail;
}

function end(count: number, directorySize: number, directoryOffset: number): Buffer {
  const places = Buffer.alloc(8);
  places.writeUInt32LE(directorySize, 0);
  places.writeUInt32LE(directoryOffset, 4);
  return Buffer.concat([signature(0x06054b50), shorts(0, 0, count, count), places, shorts(0)]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}
