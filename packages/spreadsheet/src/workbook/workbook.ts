/** A workbook as plain data: what importers read, and exporters write, whatever the file format. */

export type CellValue = string | number | boolean;

export interface Cell {
  /** What the cell shows; for a formula, the result that was stored with it. */
  readonly value?: CellValue;
  /** Without the leading `=`. */
  readonly formula?: string;
}

export interface Row {
  /** Counted from 1. */
  readonly number: number;
  /** How deep it is grouped, from 0. */
  readonly level?: number;
  /** By the letters of their columns. */
  readonly cells: ReadonlyMap<string, Cell>;
}

/** Cells of a column that take one of the values in other cells. */
export interface Validation {
  readonly column: string;
  /** The first and the last row. */
  readonly from: number;
  readonly to: number;
  /** Such as `Lists!$A$1:$A$9`. */
  readonly source: string;
}

export interface Sheet {
  readonly name: string;
  readonly hidden?: boolean;
  readonly rows: readonly Row[];
  /** Written, not read. */
  readonly validations?: readonly Validation[];
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
}

/** `A` for 0, `AA` for 26. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCharCode(65 + (index % 26))}`;
}

/** 0 for `A`, 26 for `AA`. */
export const columnIndex = (column: string): number =>
  Array.from(column, (letter) => letter.charCodeAt(0) - 64).reduce((index, letter) => index * 26 + letter, 0) - 1;

/** A row of these cells from column A on; what is `undefined` is left empty. */
export function rowOf(number: number, cells: readonly (CellValue | Cell | undefined)[], level = 0): Row {
  const entries = cells.flatMap((cell, index): [string, Cell][] =>
    cell === undefined || cell === '' ? [] : [[columnName(index), typeof cell === 'object' ? cell : { value: cell }]],
  );
  return { number, ...(level > 0 && { level }), cells: new Map(entries) };
}
