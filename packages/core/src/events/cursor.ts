/** Cursors: a subscriber's position, as the text carried by events. */

/** Before the first entry of a journal. */
export const BEGINNING = '0'.repeat(12);

const ENTRY = /^\d{12}$/;

/** A subscriber's position in one policy's journal. */
interface Position {
  readonly policyId: string;
  /** The id of the last entry read. */
  readonly position: string;
}

/** For one policy, the id of its last entry; for several, `<policyId>:<number>` for each. */
export const cursorText = (positions: readonly Position[], isSingle: boolean): string =>
  isSingle
    ? (positions[0]?.position ?? BEGINNING)
    : positions.map(({ policyId, position }) => `${encodeURIComponent(policyId)}:${String(Number(position))}`).join();

/** The position by policy id; policies without a readable position are omitted. */
export function parseCursor(text: string, policyIds: readonly string[], isSingle: boolean): Map<string, string> {
  const positions = new Map<string, string>();
  const wanted = new Set(policyIds);
  const named = isSingle ? [[policyIds[0] ?? '', text] as const] : text.split(',').map(namedPosition);
  for (const [policyId, id] of named) if (wanted.has(policyId) && ENTRY.test(id)) positions.set(policyId, id);
  return positions;
}

function namedPosition(part: string): readonly [policyId: string, id: string] {
  const [name = '', number = ''] = part.split(':');
  return [decoded(name), /^\d{1,12}$/.test(number) ? number.padStart(12, '0') : ''];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
