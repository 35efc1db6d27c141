/** JSON files that people can read and that show damage: one item a line, a checksum as the last member. */
import { addToChecksum, checksum, checksumText } from './checksum.js';

/** Thrown for content that cannot be what was written. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

/** Thrown for a file that must be there and is not. */
export class MissingContent extends DamagedContent {
  constructor() {
    super('it is missing');
  }
}

/** So much is made at a time: reads and commits are answered before the next slice. */
const sliceSize = 128 * 1024;

/** The members of `head`, then those of `lists` with one item a line, then the checksum over all that; in slices. */
export function* sealedJson(head: object, lists: Readonly<Record<string, Iterable<unknown>>>): Iterable<Buffer> {
  let sum = 0;
  let slice = '';
  for (const text of unsealed(head, lists)) {
    slice += text;
    if (slice.length < sliceSize) continue;
    const bytes = Buffer.from(slice);
    sum = addToChecksum(bytes, sum);
    yield bytes;
    slice = '';
  }
  const rest = Buffer.from(slice);
  yield rest;
  yield Buffer.from(`,\n"crc32":"${checksumText(addToChecksum(rest, sum))}"}\n`);
}

function* unsealed(head: object, lists: Readonly<Record<string, Iterable<unknown>>>): Iterable<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, items] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}:[`;
    let separator = '\n';
    for (const item of items) {
      yield separator + JSON.stringify(item);
      separator = ',\n';
    }
    yield '\n]';
  }
}

const seal = /,\n"crc32":"([0-9a-f]{8})"\}\n$/;
const sealLength = ',\n"crc32":"01234567"}\n'.length;

/** Whether a checksum stands at the end, as this store writes it, and is right. */
function checkSeal(bytes: Buffer): boolean {
  const end = bytes.length - sealLength;
  const found = seal.exec(bytes.subarray(Math.max(0, end)).toString('latin1'))?.[1];
  if (found === undefined) return false;
  if (found !== checksum(bytes.subarray(0, end))) throw new DamagedContent('its checksum does not fit its content');
  return true;
}

/**
 * What a file of `sealedJson` says. A file from which a person has removed the checksum is taken as it is, in
 * any layout. Throws `DamagedContent`.
 */
export function parseSealedJson(bytes: Buffer): Record<string, unknown> {
  const parsed = checkSeal(bytes) ? parseLines(bytes) : parseJson(bytes);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new DamagedContent('it is not a JSON object');
  return parsed as Record<string, unknown>;
}

const [comma, brace] = [','.charCodeAt(0), '{'.charCodeAt(0)];

/** Line by line: a large file would not fit into one text. */
function parseLines(bytes: Buffer): unknown {
  let head: object | undefined;
  let items: unknown[] = [];
  const lists: Record<string, unknown[]> = {};
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const bare = bytes.toString('utf8', start, bytes[end - 1] === comma ? end - 1 : end);
    if (head === undefined) head = JSON.parse(`${bare}}`) as object;
    else if (bytes[start] === brace) items.push(JSON.parse(bare));
    else if (bare.endsWith(':[')) lists[JSON.parse(bare.slice(0, -2)) as string] = items = [];
    else if (bare !== ']' && !bare.startsWith('"crc32"')) items.push(JSON.parse(bare));
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
