/** Workbooks as somebody would fill them in: with one schema, and with one row for a form. */
import { rowOf, writeWorkbook, type CellValue, type Workbook } from '@blockwork/spreadsheet';

type Line = readonly (CellValue | undefined)[];

const titles: Line = [
  ...['Required Field', 'Field Type', 'Parameter', 'Visibility', 'Question', 'Allow Multiple Answers', 'Answer'],
  ...['Default', 'Suggest', 'Key'],
];

/** The cells of a field: type, question and key. */
export const fieldLine = (type: string, question: string, key: string): Line => [
  ...['Yes', type, undefined, undefined, question, 'No', undefined, undefined, undefined, key],
];

export function workbookOf(name: string, ...fields: readonly Line[]): Workbook {
  const lines: Line[] = [[name], ['Description', 'What a site says'], ['Schema Type', 'VC'], titles, ...fields];
  return { sheets: [{ name, rows: lines.map((line, index) => rowOf(index + 1, line)) }] };
}

export const schemaWorkbook = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(writeWorkbook(workbookOf('Site', fieldLine('String', 'What is it called?', 'name'))));

export const rowWorkbook = (): Uint8Array<ArrayBuffer> => {
  const lines: Line[] = [
    ['Row', 'Site *'],
    ['#', 'site'],
    [undefined, 'North'],
  ];
  return new Uint8Array(
    writeWorkbook({ sheets: [{ name: 'Rows', rows: lines.map((line, index) => rowOf(index + 1, line)) }] }),
  );
};
