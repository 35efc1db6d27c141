/** The rows of a filled-in workbook as documents, with the cell of each answer. */
import type { Json } from '@blockwork/contract/schema-model';
import { type CellValue, type Row, type Sheet, type Workbook } from '../workbook/workbook.js';
import type { SheetFinding } from '../schemas/schema.js';
import type { FormColumn, FormTable } from './form-tables.js';
import { FIRST_ROW, keyOf, ROW, sheetNameOf } from './row-template.js';

export interface SheetDocument {
  /** The row of the form's sheet. */
  readonly row: number;
  readonly document: Json;
  /** Where an error in the document is, such as `Rows!C7`: the cell of the closest answer, else the row. */
  readonly cellAt: (pointer: string) => string;
}

export interface SheetDocuments {
  readonly rows: readonly SheetDocument[];
  readonly findings: readonly SheetFinding[];
}

interface Entry {
  readonly row: number;
  readonly name: string;
  readonly value: Record<string, unknown>;
  /** By JSON pointer. */
  readonly cells: ReadonlyMap<string, string>;
}

/** `header`: the row with the names of the fields. What follows it becomes documents. */
export function readRows({ sheets }: Workbook, tables: readonly FormTable[], header = FIRST_ROW - 1): SheetDocuments {
  const findings: SheetFinding[] = [];
  const read = tables.map((table, index) => {
    const name = sheetNameOf(table, index);
    const sheet = sheets.find((each) => each.name === name);
    if (sheet === undefined && index === 0) {
      const message = `The workbook has no sheet "${name}": fill in the template of the form.`;
      findings.push({ severity: 'error', code: 'COLUMN_MISSING', sheet: name, message });
    }
    return { table, name, entries: sheet === undefined ? [] : entriesOf(sheet, table, header, findings) };
  });
  const [form, ...lists] = read;
  const documents = (form?.entries ?? []).map(({ row, name, value, cells }) => ({
    row,
    name,
    value,
    cells: new Map(cells),
  }));
  for (const { table, name: sheet, entries } of lists) {
    for (const entry of entries) {
      const owner = documents.find(({ name }) => name !== '' && name === entry.name);
      if (owner === undefined) {
        const message = `No row of the sheet "Rows" is called "${entry.name}" in the column ${ROW}.`;
        const cell = `A${String(entry.row)}`;
        findings.push({ severity: 'error', code: 'ROW_UNKNOWN', sheet, cell, message });
        continue;
      }
      const list = listAt(owner.value, table.path);
      for (const [pointer, cell] of entry.cells)
        owner.cells.set(`${pointerOf([...table.path, String(list.length)])}${pointer}`, cell);
      list.push(entry.value);
    }
  }
  const rows = documents.map(({ row, value, cells }) => ({
    row,
    document: value,
    cellAt: (pointer: string): string => closest(cells, pointer) ?? `${form?.name ?? ''}!A${String(row)}`,
  }));
  return { rows, findings };
}

function entriesOf(sheet: Sheet, table: FormTable, header: number, findings: SheetFinding[]): Entry[] {
  const named = sheet.rows.find(({ number }) => number === header);
  const columnByKey = new Map(table.columns.map((column) => [keyOf(column), column]));
  const columns = new Map<string, FormColumn>();
  let names = 'A';
  for (const [letter, { value }] of named?.cells ?? []) {
    const column = columnByKey.get(String(value));
    if (column !== undefined) columns.set(letter, column);
    else if (value === ROW) names = letter;
    else {
      const message = `The form has no field "${String(value)}"; the column is ignored.`;
      const cell = `${letter}${String(header)}`;
      findings.push({ severity: 'warning', code: 'COLUMN_UNKNOWN', sheet: sheet.name, cell, message });
    }
  }
  return sheet.rows.filter(({ number }) => number > header).flatMap((row) => entryOf(row, columns));

  function entryOf(row: Row, of: ReadonlyMap<string, FormColumn>): Entry[] {
    const value: Record<string, unknown> = {};
    const cells = new Map<string, string>();
    for (const [letter, column] of of) {
      const place = `${sheet.name}!${letter}${String(row.number)}`;
      cells.set(pointerOf(column.path), place);
      const cellValue = row.cells.get(letter)?.value;
      if (cellValue === undefined || cellValue === '') continue;
      put(value, column.path, valueOf(cellValue, column));
    }
    if (Object.keys(value).length === 0) return [];
    return [{ row: row.number, name: String(row.cells.get(names)?.value ?? ''), value, cells }];
  }
}

/** What cannot be read as what the field takes stays as it is, so that the check of the form names it. */
function valueOf(value: CellValue, column: FormColumn): unknown {
  if (!column.isList || column.kind === 'json') return scalar(value, column);
  const text = String(value).trim();
  const list = text.startsWith('[') ? parsed(text) : undefined;
  return Array.isArray(list) ? list : text.split(/\s*(?:\n|;)\s*/).map((part) => scalar(part, column));
}

function scalar(value: CellValue, { kind, choices }: FormColumn): unknown {
  const text = String(value).trim();
  if (choices !== undefined) return choices.find((choice) => String(choice) === text) ?? value;
  switch (kind) {
    case 'number':
      return typeof value === 'string' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : value;
    case 'boolean':
      return /^(yes|true)$/i.test(text) ? true : /^(no|false)$/i.test(text) ? false : value;
    case 'date':
      return typeof value === 'number' ? dateOf(value) : text;
    case 'json':
      return parsed(text) ?? value;
    case 'text':
      return typeof value === 'string' ? value : text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Days are counted from the end of 1899 (ECMA-376, part 1, section 18.17.4.1). */
function dateOf(serial: number): unknown {
  const date = new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000);
  return Number.isNaN(date.getTime()) ? serial : date.toISOString().slice(0, 10);
}

function put(holder: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path.at(-1) ?? '';
  let at = holder;
  for (const key of path.slice(0, -1)) at = own(at, key, {});
  define(at, last, value);
}

function listAt(holder: Record<string, unknown>, path: readonly string[]): unknown[] {
  let at = holder;
  for (const key of path.slice(0, -1)) at = own(at, key, {});
  return own(at, path.at(-1) ?? '', []) as unknown as unknown[];
}

function own(holder: Record<string, unknown>, key: string, empty: object): Record<string, unknown> {
  if (!Object.hasOwn(holder, key)) define(holder, key, empty);
  return holder[key] as Record<string, unknown>;
}

/** Also a member called `__proto__`. */
const define = (holder: object, key: string, value: unknown): void => {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
};

const pointerOf = (path: readonly string[]): string =>
  path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function closest(cells: ReadonlyMap<string, string>, pointer: string): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const cell = cells.get(at);
    if (cell !== undefined) return cell;
  }
  const below = [...cells].find(([each]) => each.startsWith(`${pointer}/`));
  return pointer === '' ? undefined : below?.[1];
}
