/** A workbook to fill in: a sheet for the form, one for each list of nested objects, and the choices of their columns. */
import {
  columnName,
  rowOf,
  type CellValue,
  type Row,
  type Sheet,
  type Validation,
  type Workbook,
} from '../workbook/workbook.js';
import type { FormColumn, FormTable } from './form-tables.js';

/** The column by which entries of lists find their row. */
export const ROW = '#';
export const FIRST_ROW = 3;
const CHOICES = '_choices';
/** Rows with choices to pick from. */
const LAST_ROW = 1_000;

/** The name of a column in a sheet. */
export const keyOf = ({ path }: FormColumn): string => path.join('.');

/** Names of sheets are shorter than paths can be, so each has its number. */
export const sheetNameOf = ({ path }: FormTable, index: number): string =>
  index === 0 ? 'Rows' : `${String(index)} ${path.join('.').replaceAll(/[*?:\\/[\]]/g, '')}`.slice(0, 31);

export function rowTemplate(tables: readonly FormTable[]): Workbook {
  const lists: (readonly CellValue[])[] = [];
  const sheets = tables.map((table, index): Sheet => {
    const validations: Validation[] = [];
    const offer = (values: readonly CellValue[], column: number): void => {
      lists.push(values);
      const letter = columnName(lists.length - 1);
      const source = `${CHOICES}!$${letter}$1:$${letter}$${String(values.length)}`;
      validations.push({ column: columnName(column), from: FIRST_ROW, to: LAST_ROW, source });
    };
    table.columns.forEach((column, at) => {
      const choices = choicesOf(column);
      if (choices.length > 0) offer(choices, at + 1);
    });
    const title = index === 0 ? 'Row: a name or number of yours, for the other sheets' : 'Row that it belongs to';
    const rows = [
      rowOf(1, [title, ...table.columns.map((column) => (column.isRequired ? `${column.title} *` : column.title))]),
      rowOf(2, [ROW, ...table.columns.map(keyOf)]),
    ];
    return { name: sheetNameOf(table, index), rows, validations };
  });
  return { sheets: lists.length === 0 ? sheets : [...sheets, { name: CHOICES, hidden: true, rows: columnsOf(lists) }] };
}

function choicesOf({ choices, kind, isList }: FormColumn): CellValue[] {
  if (isList) return [];
  if (kind === 'boolean') return ['Yes', 'No'];
  return (choices ?? []).map((choice) => (typeof choice === 'number' ? choice : String(choice)));
}

const columnsOf = (lists: readonly (readonly CellValue[])[]): Row[] =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) =>
    rowOf(
      at + 1,
      lists.map((list) => list[at]),
    ),
  );
