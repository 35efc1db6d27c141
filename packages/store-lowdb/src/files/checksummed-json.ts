/** Readable JSON files that reveal damage: one item per line, a checksum as the last member. */
import { checksum, extendChecksum, formatChecksum } from './checksum.js';
import type { Turns } from './turns.js';

/** The content of a file cannot be what was written. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

/** A file that must exist is missing. */
export class MissingContent extends DamagedContent {
  constructor() {
    super('it is missing');
  }
}

/** A value that is already encoded as JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Bytes whose checksum takes less than a millisecond. */
const checksumChunk = 2 ** 19;

/** Target size of a slice; the event loop runs between slices. */
const sliceSize = 128 * 1024;

/** Yields the members of `head`, then of `lists` with one item per line, then the checksum of all that, in slices. */
export function* encodeJson(head: object, lists: Readonly<Record<string, Iterable<unknown>>>): Iterable<Buffer> {
  let sum = 0;
  let slice = '';
  for (const text of encodeLines(head, lists)) {
    slice += text;
    if (slice.length < sliceSize) continue;
    const bytes = Buffer.from(slice);
    sum = extendChecksum(bytes, sum);
    yield bytes;
    slice = '';
  }
  const rest = Buffer.from(slice);
  yield rest;
  yield Buffer.from(`,\n"crc32":"${formatChecksum(extendChecksum(rest, sum))}"}\n`);
}

function* encodeLines(head: object, lists: Readonly<Record<string, Iterable<unknown>>>): Iterable<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, items] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}:[`;
    let separator = '\n';
    for (const item of items) {
      yield separator + (item instanceof JsonText ? item.text : JSON.stringify(item));
      separator = ',\n';
    }
    yield '\n]';
  }
}

const trailer = /,\n"crc32":"([0-9a-f]{8})"\}\n$/;
const trailerLength = ',\n"crc32":"01234567"}\n'.length;

/** `false` if there is no checksum at the end; throws `DamagedContent` if it is wrong. */
function verifyChecksum(bytes: Buffer): boolean {
  const storedChecksum = checksumIn(bytes);
  if (storedChecksum !== undefined) assertSame(storedChecksum, checksum(withoutTrailer(bytes)));
  return storedChecksum !== undefined;
}

/** Verifies the checksum like `decodeJson`, but lets the event loop run in between. */
export async function verifyInTurns(bytes: Buffer, turns: Turns): Promise<boolean> {
  const storedChecksum = checksumIn(bytes);
  if (storedChecksum === undefined) return false;
  const content = withoutTrailer(bytes);
  let sum = 0;
  for (let at = 0; at < content.length; at += checksumChunk) {
    sum = extendChecksum(content.subarray(at, at + checksumChunk), sum);
    if (turns.spend(checksumChunk / 4)) await turns.next();
  }
  assertSame(storedChecksum, formatChecksum(sum));
  return true;
}

const withoutTrailer = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - trailerLength);

const checksumIn = (bytes: Buffer): string | undefined =>
  trailer.exec(bytes.subarray(Math.max(0, bytes.length - trailerLength)).toString('latin1'))?.[1];

function assertSame(stored: string, computed: string): void {
  if (stored !== computed) throw new DamagedContent('its checksum does not match its content');
}

/**
 * Parses a file of `encodeJson`. A hand-edited file without the checksum is accepted in any layout. Throws
 * `DamagedContent`.
 */
export function decodeJson(bytes: Buffer): Record<string, unknown> {
  const parsed = verifyChecksum(bytes) ? parseLines(bytes) : parseJson(bytes);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new DamagedContent('it is not a JSON object');
  return parsed as Record<string, unknown>;
}

const [comma, brace] = [','.charCodeAt(0), '{'.charCodeAt(0)];

/** Parses line by line, because a large file exceeds the maximum string length. */
function parseLines(bytes: Buffer): unknown {
  let head: object | undefined;
  let items: unknown[] = [];
  const lists: Record<string, unknown[]> = {};
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.toString('utf8', start, bytes[end - 1] === comma ? end - 1 : end);
    if (head === undefined) head = JSON.parse(`${line}}`) as object;
    else if (bytes[start] === brace) items.push(JSON.parse(line));
    else if (line.endsWith(':[')) lists[JSON.parse(line.slice(0, -2)) as string] = items = [];
    else if (line !== ']' && !line.startsWith('"crc32"')) items.push(JSON.parse(line));
    start = end + 1;
  }
  return { ...head, ...lists };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new DamagedContent('it is not JSON', { cause: error });
  }
}
