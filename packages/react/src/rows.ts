/** `@blockwork/react/rows`: rows, columns and buttons of grids, for pages with or without React. */

/** A document in a grid. */
export interface GridRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
  /** Tag of the source that it comes from, if the grid has several. */
  readonly __sourceTag__?: string;
  readonly blocks?: Readonly<Record<string, unknown>>;
}

/** A column as the policy defines it. */
export interface Column {
  readonly title?: string;
  /** Dotted path in the document. */
  readonly name?: string;
  readonly type?: string;
  readonly content?: string;
  readonly action?: string;
  readonly bindBlock?: string;
  readonly bindBlocks?: readonly string[];
  readonly bindGroup?: string;
  readonly dialogContent?: string;
}

/** Columns with the same title share one position; each row uses the one for its source. */
export interface ColumnGroup {
  readonly title: string;
  readonly columns: readonly Column[];
}

/** Of a grid whose policy names no columns. */
const usualColumns: readonly Column[] = [
  { title: 'Status', name: 'option.status' },
  { title: 'Owner', name: 'owner' },
  { title: 'Changed', name: 'updateDate' },
];

/**
 * The columns of a grid in their order; where the policy names none, the status, the owner and the last change.
 *
 * @example columnGroups([{ title: 'Site', name: 'document.credentialSubject.0.site' }]);
 */
export function columnGroups(named: readonly Column[], usual: readonly Column[] = usualColumns): ColumnGroup[] {
  const fields = named.length === 0 ? usual : named;
  const groups = new Map<string, Column[]>();
  for (const column of fields) {
    const title = column.title ?? column.name ?? '';
    groups.set(title, [...(groups.get(title) ?? []), column]);
  }
  return [...groups].map(([title, columns]) => ({ title, columns }));
}

/**
 * The column of a group that is for the row; `undefined` if none is.
 *
 * @example const column = columnFor(group, row);
 */
export const columnFor = ({ columns }: ColumnGroup, row: GridRow): Column | undefined =>
  columns.find(({ bindGroup }) => bindGroup === row.__sourceTag__ && bindGroup !== undefined && bindGroup !== '') ??
  columns.find(({ bindGroup }) => bindGroup === undefined || bindGroup === '');

/**
 * Tags of the blocks that a column opens for a row, such as buttons.
 *
 * @example boundTags({ bindBlock: 'inspect' }); // ['inspect']
 */
export function boundTags({ bindBlock = '', bindBlocks }: Column): string[] {
  const others = Array.isArray(bindBlocks) ? (bindBlocks as readonly unknown[]) : [];
  return [...new Set([bindBlock, ...others])].filter((tag) => typeof tag === 'string' && tag !== '') as string[];
}

/**
 * The text of a cell.
 *
 * @example cellText({ name: 'option.status' }, row); // 'Waiting'
 */
export function cellText({ name = '', content = '' }: Column, row: GridRow): string {
  if (content !== '') return content;
  const value = valueAt(row, name);
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' && value !== null && 'id' in value ? valueText(value.id) : valueText(value);
}

/** A button of a row as the policy defines it. */
export interface RowButton {
  readonly tag: string;
  readonly name: string;
  /** `selector-dialog`: it asks for a comment. */
  readonly type?: string;
  readonly field?: string;
  readonly value?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly filters?: readonly { readonly type: string; readonly field: string; readonly value: string }[];
}

/**
 * Whether a button makes sense for the row: not if it has the button's value already. The server makes the final decision.
 *
 * @example const offered = buttons.filter((button) => isOffered(button, row));
 */
export function isOffered({ field = '', value, filters = [] }: RowButton, row: GridRow): boolean {
  if (field !== '' && valueAt(row, field) === value) return false;
  return filters.every((filter) => {
    const isEqual = valueText(valueAt(row, filter.field)) === filter.value;
    return filter.type === 'not_equal' ? !isEqual : isEqual;
  });
}

/**
 * What pressing a button sends: the row with the value of the button, and the comment if there is one.
 *
 * @example send.mutate(pressed(button, row));
 */
export function pressed({ tag, field = '', value }: RowButton, row: GridRow, comment?: string): unknown {
  const changed = field === '' ? row : withValue(row, field, value);
  return { tag, document: comment === undefined ? changed : withValue(changed, 'option.comment', [comment]) };
}

/**
 * A copy of the row with the value at the dotted path.
 *
 * @example withValue(row, 'option.status', 'Approved');
 */
export function withValue(row: GridRow, path: string, value: unknown): GridRow {
  const copy = structuredClone(row) as Record<string, unknown> & GridRow;
  const steps = path.split('.');
  const last = steps.pop() ?? path;
  let at: Record<string, unknown> = copy;
  for (const step of steps) {
    const next = at[step];
    const held = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {};
    at[step] = held;
    at = held;
  }
  at[last] = value;
  return copy;
}

/**
 * A JSON value as a short text; objects and lists as JSON.
 *
 * @example valueText(12.5); // '12.5'
 */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value);
}

/**
 * The value at a dotted path; `L` is the last item of a list. `undefined` where there is none.
 *
 * @example valueAt(row, 'document.credentialSubject.0.site');
 */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return step === 'L' ? (value.at(-1) as unknown) : (value[Number(step)] as unknown);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Readonly<Record<string, unknown>>)[step];
  }, record);
}
