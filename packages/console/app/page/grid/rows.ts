/** Rows and columns of grids. */
import { texts } from '../../texts.js';
import { valueAt, valueText } from '../../ui/format.js';

export interface GridRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly __sourceTag__?: string;
  readonly blocks?: Readonly<Record<string, unknown>>;
}

export interface Column {
  readonly title?: string;
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

/** Used if the grid defines no columns. */
const defaultColumns: readonly Column[] = [
  { title: texts.page.document, name: 'document', action: 'dialog', content: texts.page.open },
  { title: texts.page.status, name: 'option.status' },
  { title: texts.page.owner, name: 'owner' },
  { title: texts.page.changed, name: 'updateDate' },
];

export function columnGroups(named: readonly Column[]): ColumnGroup[] {
  const fields = named.length === 0 ? defaultColumns : named;
  const groups = new Map<string, Column[]>();
  for (const column of fields) {
    const title = column.title ?? column.name ?? '';
    groups.set(title, [...(groups.get(title) ?? []), column]);
  }
  return [...groups].map(([title, columns]) => ({ title, columns }));
}

export const columnFor = ({ columns }: ColumnGroup, row: GridRow): Column | undefined =>
  columns.find(({ bindGroup }) => bindGroup === row.__sourceTag__ && bindGroup !== undefined && bindGroup !== '') ??
  columns.find(({ bindGroup }) => bindGroup === undefined || bindGroup === '');

/** Tags of the blocks that a column opens. */
export function boundTags({ bindBlock = '', bindBlocks }: Column): string[] {
  const others = Array.isArray(bindBlocks) ? (bindBlocks as readonly unknown[]) : [];
  return [...new Set([bindBlock, ...others])].filter((tag) => typeof tag === 'string' && tag !== '') as string[];
}

/** The text of a cell. */
export function cellText({ name = '', content = '' }: Column, row: GridRow): string {
  if (content !== '') return content;
  const value = valueAt(row, name);
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' && value !== null && 'id' in value ? valueText(value.id) : valueText(value);
}

/** A copy of the row with the value at the dotted path. */
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
