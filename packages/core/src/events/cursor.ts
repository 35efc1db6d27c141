/** Cursors: a subscriber's position, as the text carried by events. */

/** Before the first entry of a journal. */
export const BEGINNING = '0'.repeat(12);

const ENTRY = /^\d{12}$/;
const MOMENT = /^@([0-9a-z]{1,10})$/;

/** A subscriber's position in one policy's journal. */
interface Position {
  readonly policyId: string;
  /** The id of the last entry read. */
  readonly position: string;
}

export interface Cursor {
  /** The position by policy id; policies without a readable position are omitted. */
  readonly positions: ReadonlyMap<string, string>;
  /** When the subscriber was up to date in all policies that are not named, in milliseconds; `null` if it names all. */
  readonly at: number | null;
}

/**
 * For one policy, the id of its last entry; for several, `<policyId>:<number>` for each. If it names only some of them,
 * `@<milliseconds>` comes first.
 */
export function cursorText(positions: readonly Position[], isSingle: boolean, at: number | null = null): string {
  if (isSingle) return positions[0]?.position ?? BEGINNING;
  const named = positions.map(
    ({ policyId, position }) => `${encodeURIComponent(policyId)}:${String(Number(position))}`,
  );
  return [...(at === null ? [] : [`@${at.toString(36)}`]), ...named].join();
}

export function parseCursor(text: string, policyIds: readonly string[], isSingle: boolean): Cursor {
  const positions = new Map<string, string>();
  const wanted = new Set(policyIds);
  const parts = text.split(',');
  const moment = MOMENT.exec(parts[0] ?? '')?.[1];
  const named = isSingle ? [[policyIds[0] ?? '', text] as const] : parts.map(namedPosition);
  for (const [policyId, id] of named) if (wanted.has(policyId) && ENTRY.test(id)) positions.set(policyId, id);
  return { positions, at: moment === undefined || isSingle ? null : parseInt(moment, 36) };
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
