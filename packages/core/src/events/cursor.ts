/** Cursors: how far a subscriber has read, as the text that events carry. */

/** Before the first entry of a journal. */
export const BEGINNING = '0'.repeat(12);

const ENTRY = /^\d{12}$/;

/** Where a subscriber is in the journal of one policy. */
interface Position {
  readonly policyId: string;
  /** The id of the last entry that was read. */
  readonly position: string;
}

/** For one policy, the id of its last entry; for several, `<policyId>:<number>` of each. */
export const cursorText = (positions: readonly Position[], isSingle: boolean): string =>
  isSingle
    ? (positions[0]?.position ?? BEGINNING)
    : positions.map(({ policyId, position }) => `${encodeURIComponent(policyId)}:${String(Number(position))}`).join();

/** The position of each policy, by its id; without those that the text does not name in a readable way. */
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
