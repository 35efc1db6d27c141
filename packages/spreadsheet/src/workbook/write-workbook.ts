/** Writes workbooks as `.xlsx` files. Texts are written as texts, never as formulas. */
import { packArchive } from '@blockwork/core/files';
import { workbookLimits } from './limits.js';
import type { Cell, Row, Sheet, Validation, Workbook } from './workbook.js';

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The same workbook gives the same bytes. */
export function writeWorkbook({ sheets }: Workbook): Uint8Array {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const listed = sheets.map(({ name, hidden }, index) => {
    const state = hidden === true ? ' state="hidden"' : '';
    return `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  const parts = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${each(sheets, (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${type}.worksheet+xml"/>`)}</Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${each(sheets, (number) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}</Relationships>`,
    ],
    ...sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet)]),
  ];
  const files = parts.map(([name = '', xml = '']) => [name, Buffer.from(HEAD + xml)] as const);
  const { fileBytes, entryBytes, totalBytes, entries, ratio } = workbookLimits;
  return packArchive(new Map(files), { fileBytes, entryBytes, totalBytes, entries, ratio });
}

const each = (sheets: readonly Sheet[], write: (number: string) => string): string =>
  sheets.map((_, index) => write(String(index + 1))).join('');

const sheetXml = ({ rows, validations = [] }: Sheet): string =>
  `<worksheet xmlns="${SPREADSHEET}"><sheetData>${rows.map(rowXml).join('')}</sheetData>${validationsXml(validations)}</worksheet>`;

function validationsXml(validations: readonly Validation[]): string {
  if (validations.length === 0) return '';
  const each = validations.map(
    ({ column, from, to, source }) =>
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${column}${String(from)}:${column}${String(to)}"><formula1>${escaped(source)}</formula1></dataValidation>`,
  );
  return `<dataValidations count="${String(each.length)}">${each.join('')}</dataValidations>`;
}

function rowXml({ number, level = 0, cells }: Row): string {
  const outline = level > 0 ? ` outlineLevel="${String(level)}"` : '';
  const written = [...cells].map(([column, cell]) => cellXml(`${column}${String(number)}`, cell));
  return `<row r="${String(number)}"${outline}>${written.join('')}</row>`;
}

function cellXml(address: string, { value, formula }: Cell): string {
  const code = formula === undefined ? '' : `<f>${escaped(formula)}</f>`;
  if (value === undefined) return `<c r="${address}">${code}</c>`;
  if (typeof value === 'number') return `<c r="${address}">${code}<v>${String(value)}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${address}" t="b">${code}<v>${value ? '1' : '0'}</v></c>`;
  if (formula !== undefined) return `<c r="${address}" t="str">${code}<v>${escaped(value)}</v></c>`;
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

/** Characters that XML cannot hold are left out. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
