/** A cache of grid rows with their JSON text, valid until the underlying record is written. */
import { LRUCache } from 'lru-cache';
import { deepFreeze, isObject, notJson, type Json, type NotJson } from '../records/index.js';

interface CachedRow {
  /** The policy the row was also derived from. */
  readonly policy: object;
  readonly tag: string;
  readonly row: object;
  readonly characters: number;
}

/** The text of a cached row. Non-enumerable, so that copies of the row do not inherit it. */
const TEXT: unique symbol = Symbol('text');

export class RowTexts {
  readonly #cache: LRUCache<object, CachedRow>;

  constructor({ rowCharacters }: { readonly rowCharacters: number }) {
    this.#cache = new LRUCache({ maxSize: rowCharacters, sizeCalculation: ({ characters }) => characters });
  }

  /**
   * The row that `make` derives from a record, frozen and cached if it is valid JSON. `record` must be immutable and
   * remain the same object until it is written; `make` may depend only on it, the policy and the source's tag.
   */
  row<Row extends object>(record: object, policy: object, tag: string, make: () => Row): Row {
    const cached = this.#cache.get(record);
    if (cached?.policy === policy && cached.tag === tag) return cached.row as Row;
    const row = make();
    // The answer's check reports the exact path.
    if (notJson(row) !== undefined) return row;
    const text = JSON.stringify(row);
    Object.defineProperty(row, TEXT, { value: text });
    deepFreeze(row);
    this.#cache.set(record, { policy, tag, row, characters: text.length });
    return row;
  }
}

/** Like `notJson`, but trusts cached rows in the member `data`. */
export function notJsonWithRows(value: unknown): NotJson | undefined {
  const rows = isObject(value) ? value['data'] : undefined;
  if (!isObject(value) || !Array.isArray(rows) || !rows.some(isCached)) return notJson(value);
  return notJson({ ...value, data: rows.map((row: unknown) => (isCached(row) ? null : row)) });
}

/** Like `JSON.stringify(value)`, but reuses the text of cached rows in the member `data`. */
export function textWithRows(value: Json): string {
  const rows = isObject(value) ? value['data'] : undefined;
  if (!isObject(value) || !Array.isArray(rows) || !rows.some(isCached)) return JSON.stringify(value);
  // Concatenation with `+` builds a rope, which is flattened once, when it is sent.
  let text = '';
  for (const [name, member] of Object.entries<unknown>(value)) {
    // JavaScript blocks may return values that are not JSON.
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${name === 'data' ? rowsText(rows) : JSON.stringify(member)}`;
  }
  return `{${text}}`;
}

function rowsText(rows: readonly unknown[]): string {
  let text = '';
  for (const row of rows) text += `${text === '' ? '' : ','}${isCached(row) ? row[TEXT] : JSON.stringify(row)}`;
  return `[${text}]`;
}

const isCached = (row: unknown): row is { readonly [TEXT]: string } => isObject(row) && TEXT in row;
