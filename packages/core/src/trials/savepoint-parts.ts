/** The parts of a savepoint: its records in chunks of a size that suits a store. */
import { jsonBytes } from '../records/index.js';
import type { SavedRecord, SavepointPart } from '../records/index.js';

/** Approximate size of one part; a record is never split. */
const PART_BYTES = 256 * 1024;

/** The parts in order, and the size of all records as JSON. */
export function partsOf(
  savepointId: string,
  records: readonly SavedRecord[],
): { readonly parts: readonly SavepointPart[]; readonly bytes: number } {
  const parts: SavepointPart[] = [];
  let [bytes, room] = [0, 0];
  for (const record of records) {
    const size = jsonBytes(record.value);
    bytes += size;
    room -= size;
    const last = parts.at(-1);
    if (last !== undefined && room >= 0) {
      last.records.push(record);
      continue;
    }
    parts.push({ id: `${savepointId}/${String(parts.length).padStart(6, '0')}`, savepointId, records: [record] });
    room = PART_BYTES - size;
  }
  return { parts, bytes };
}
