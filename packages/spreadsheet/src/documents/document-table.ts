/** Documents of a grid as a table: a column for each answer, whatever the rows have in common. */
import { isObject, type Json, writtenMembers } from '@blockwork/contract/schema-model';
import { rowOf, type CellValue, type Workbook } from '../workbook/workbook.js';

export interface DocumentTable {
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, CellValue>[];
}

/** Facts about a document, before its answers. */
const facts = ['id', 'owner', 'createDate', 'status'];

/** `rows` as a grid answers them. Lists are JSON in one cell; a nested object has a column for each of its answers. */
export function documentTable(rows: readonly unknown[]): DocumentTable {
  const read = rows.filter(isObject).map(cellsOf);
  const keys = new Set(read.flatMap((cells) => [...cells.keys()]));
  return { columns: [...facts.filter((key) => keys.delete(key)), ...keys], rows: read };
}

function cellsOf(row: Json): Map<string, CellValue> {
  const cells = new Map<string, CellValue>();
  const { option, document } = row;
  const about = { ...row, status: isObject(option) ? option['status'] : undefined };
  for (const key of facts) {
    const value: unknown = about[key as keyof typeof about];
    if (typeof value === 'string') cells.set(key, value);
  }
  const subject = subjectOf(document);
  for (const [key, value] of Object.entries(subject)) if (!writtenMembers.includes(key)) add(cells, key, value);
  return cells;
}

function subjectOf(document: unknown): Json {
  if (!isObject(document)) return {};
  const { credentialSubject: subject = document } = document;
  const first: unknown = Array.isArray(subject) ? subject[0] : subject;
  return isObject(first) ? first : {};
}

function add(cells: Map<string, CellValue>, key: string, value: unknown): void {
  if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      if (!writtenMembers.includes(name)) add(cells, `${key}.${name}`, member);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    // A field of the document may be called as a fact about it.
    cells.set(facts.includes(key) ? `document.${key}` : key, value);
  } else if (value !== null && value !== undefined) cells.set(key, JSON.stringify(value));
}

export const tableWorkbook = ({ columns, rows }: DocumentTable): Workbook => ({
  sheets: [
    {
      name: 'Documents',
      rows: [
        rowOf(1, columns),
        ...rows.map((cells, at) =>
          rowOf(
            at + 2,
            columns.map((column) => cells.get(column)),
          ),
        ),
      ],
    },
  ],
});

/** In UTF-8 with a byte order mark, for spreadsheet programs (RFC 4180). */
export function tableCsv({ columns, rows }: DocumentTable): string {
  const lines = [columns, ...rows.map((cells) => columns.map((column) => cells.get(column)))];
  return `\uFEFF${lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')}`;
}

/** A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function csvCell(value: CellValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
