/** Reads a snapshot file without parsing its records. */
import { DamagedContent, encodeJson, verifyInTurns } from '../files/checksummed-json.js';
import type { Turns } from '../files/turns.js';
import { asSnapshot, decodeSnapshot, type Snapshot } from './snapshot-file.js';
import type { ParsedCache } from './parsed-cache.js';
import { isRegular, RecordLines } from './record-lines.js';

export interface PackedSnapshot extends Omit<Snapshot, 'records' | 'places'> {
  readonly lines: RecordLines;
}

const newline = 10;
const [comma, brace, bracket] = [',', '{', ']'].map((char) => char.charCodeAt(0));
const start = '"records":[';

/** Throws `DamagedContent`, for the same reasons as `decodeJson`. */
export async function pack(bytes: Buffer, cache: ParsedCache, turns: Turns): Promise<PackedSnapshot> {
  const hasChecksum = await verifyInTurns(bytes, turns);
  const lines = hasChecksum ? await linesIn(bytes, cache, turns) : undefined;
  return lines ?? repack(bytes, cache, turns);
}

/** `undefined` if the content is not in the layout of `encodeJson`. */
async function linesIn(bytes: Buffer, cache: ParsedCache, turns: Turns): Promise<PackedSnapshot | undefined> {
  const head = bytes.indexOf(newline);
  const list = bytes.indexOf(newline, head + 1);
  if (head === -1 || bytes.toString('latin1', head + 1, list) !== start || bytes[head - 1] !== comma) return undefined;
  const { partition, kind, part, upTo } = asSnapshot({
    ...parsedHead(bytes.toString('utf8', 0, head - 1)),
    records: [],
  });
  const starts: number[] = [];
  const irregular = new Map<number, string>();
  let at = list + 1;
  while (bytes[at] === brace) {
    const end = bytes.indexOf(newline, at);
    const isLast = bytes[end + 1] === bracket;
    if (end === -1 || (bytes[end - 1] === comma) === isLast) return undefined;
    if (!isRegular(bytes, at, end))
      irregular.set(starts.length, idIn(bytes.toString('utf8', at, isLast ? end : end - 1)));
    starts.push(at);
    if (turns.spend(end - at)) await turns.next();
    at = end + 1;
  }
  if (bytes[at] !== bracket) return undefined;
  // As if a comma followed the last row, too.
  starts.push(starts.length === 0 ? at : at + 1);
  const lines = new RecordLines(bytes, Uint32Array.from(starts), irregular, cache);
  return { partition, kind, upTo, ...(part !== undefined && { part }), lines };
}

/** Re-encodes a hand-edited file. */
async function repack(bytes: Buffer, cache: ParsedCache, turns: Turns): Promise<PackedSnapshot> {
  const { records, places: _, ...head } = decodeSnapshot(bytes);
  const written = Buffer.concat([...encodeJson(head, { records })]);
  const lines = await linesIn(written, cache, turns);
  if (lines === undefined) throw new DamagedContent('one of its records is not an object');
  return lines;
}

const parsedHead = (line: string): Record<string, unknown> => JSON.parse(`${line}}`) as Record<string, unknown>;

function idIn(text: string): string {
  const { id } = JSON.parse(text) as { id?: unknown };
  if (typeof id !== 'string') throw new DamagedContent('one of its records has no id');
  return id;
}
