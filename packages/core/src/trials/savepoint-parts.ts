/** The parts of a savepoint: its records in pieces that a store writes and reads well. */
import { jsonBytes } from '../records/index.js';
import type { SavedRecord, SavepointPart } from '../records/index.js';

/** Of one part, about; a record is never divided. */
const PART_BYTES = 256 * 1024;

/** The parts in order, and the bytes of all records as JSON. */
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
