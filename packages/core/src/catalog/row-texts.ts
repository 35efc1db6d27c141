/** Rows of tables with their JSON text, kept for as long as the record that they show is not written again. */
import { LRUCache } from 'lru-cache';
import { deepFreeze, isObject, notJson, type Json, type NotJson } from '../records/index.js';

interface KeptRow {
  /** What else the row was made from. */
  readonly policy: object;
  readonly tag: string;
  readonly row: object;
  readonly characters: number;
}

/** Of a kept row: its text. Not enumerable, so a row that is made from it does not take it over. */
const TEXT: unique symbol = Symbol('text');

export class RowTexts {
  readonly #kept: LRUCache<object, KeptRow>;

  constructor({ rowCharacters }: { readonly rowCharacters: number }) {
    this.#kept = new LRUCache({ maxSize: rowCharacters, sizeCalculation: ({ characters }) => characters });
  }

  /**
   * The row that `make` makes of a record, frozen and kept if it is JSON. `record` must be the same object for as long as it is not written, and never
   * change; `make` may depend on it, the policy and the tag of its source alone.
   */
  row<Row extends object>(record: object, policy: object, tag: string, make: () => Row): Row {
    const kept = this.#kept.get(record);
    if (kept?.policy === policy && kept.tag === tag) return kept.row as Row;
    const row = make();
    // Whoever looks at the answer tells where in it that is.
    if (notJson(row) !== undefined) return row;
    const text = JSON.stringify(row);
    Object.defineProperty(row, TEXT, { value: text });
    deepFreeze(row);
    this.#kept.set(record, { policy, tag, row, characters: text.length });
    return row;
  }
}

/** As `notJson`; rows in the member `data` that are kept are known to be JSON. */
export function notJsonWithRows(value: unknown): NotJson | undefined {
  const rows = isObject(value) ? value['data'] : undefined;
  if (!isObject(value) || !Array.isArray(rows) || !rows.some(isKept)) return notJson(value);
  return notJson({ ...value, data: rows.map((row: unknown) => (isKept(row) ? null : row)) });
}

/** As `JSON.stringify(value)`; rows in the member `data` that are kept are not written again. */
export function textWithRows(value: Json): string {
  const rows = isObject(value) ? value['data'] : undefined;
  if (!isObject(value) || !Array.isArray(rows) || !rows.some(isKept)) return JSON.stringify(value);
  // Joined by `+`, which copies nothing: the text is laid out once, when it is sent.
  let text = '';
  for (const [name, member] of Object.entries<unknown>(value)) {
    // What comes from plain JavaScript may hold what JSON does not.
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${name === 'data' ? rowsText(rows) : JSON.stringify(member)}`;
  }
  return `{${text}}`;
}

function rowsText(rows: readonly unknown[]): string {
  let text = '';
  for (const row of rows) text += `${text === '' ? '' : ','}${isKept(row) ? row[TEXT] : JSON.stringify(row)}`;
  return `[${text}]`;
}

const isKept = (row: unknown): row is { readonly [TEXT]: string } => isObject(row) && TEXT in row;
