/** Documents in rows: the columns of a form, what cells become, and what a grid's documents become. */
import {
  documentTable,
  formTables,
  readCsvRows,
  readRows,
  readWorkbook,
  rowOf,
  rowTemplate,
  tableCsv,
  tableWorkbook,
  writeWorkbook,
  type CellValue,
  type SheetDocuments,
  type Workbook,
} from '@blockwork/spreadsheet';
import { describe, expect, it } from 'vitest';

const nested = (...fields: object[]): object => ({ isRef: true, fields });
const schema = {
  fields: [
    { name: 'name', description: 'Name', type: 'string', required: true },
    { name: 'kind', description: 'Kind', type: 'number', enum: [1, 2] },
    { name: 'open', description: 'Open', type: 'boolean' },
    { name: 'since', description: 'Since', type: 'string', format: 'date' },
    { name: 'sizes', description: 'Sizes', type: 'number', isArray: true, unit: 'kW' },
    { name: 'area', description: 'Area', isRef: true, fields: [] },
    { name: 'place', description: 'Place', ...nested({ name: 'town', description: 'Town', type: 'string' }) },
    {
      ...{ name: 'meters', description: 'Meters', isArray: true },
      ...nested(
        { name: 'no', description: 'Number', type: 'string' },
        { name: 'parts', description: 'Parts', isArray: true, ...nested({ name: 'id', type: 'string' }) },
      ),
    },
    { name: 'policyId', type: 'string' },
    { name: 'total', type: 'number', autocalculate: true },
    { name: 'note', type: 'null' },
  ],
};
const tables = formTables(schema);

function filled(sheets: Readonly<Record<string, readonly (readonly (CellValue | undefined)[])[]>>): Workbook {
  const template = readWorkbook(writeWorkbook(rowTemplate(tables)));
  return {
    sheets: template.sheets.map((sheet) => ({
      ...sheet,
      rows: [...sheet.rows, ...(sheets[sheet.name] ?? []).map((line, at) => rowOf(at + 3, line))],
    })),
  };
}
const read = (sheets: Parameters<typeof filled>[0]): SheetDocuments =>
  readRows(readWorkbook(writeWorkbook(filled(sheets))), tables);

describe('a form', () => {
  it('has a column for each answer that people give, and a sheet for each list of objects', () => {
    const keys = tables.map(({ path, columns }) => [path.join('.'), ...columns.map((column) => column.path.join('.'))]);
    expect(keys).toEqual([
      ['', 'name', 'kind', 'open', 'since', 'sizes', 'area', 'place.town'],
      ['meters', 'no', 'parts'],
    ]);
    expect(tables[0]?.columns.map(({ title }) => title)).toContain('Sizes (kW)');
    expect(tables[0]?.columns.map(({ title }) => title)).toContain('Place · Town');
  });

  it('without a field has no column', () => {
    expect(formTables(null)).toEqual([{ path: [], title: 'Rows', columns: [] }]);
  });
});

describe('a row', () => {
  it('has values of the types of its fields, whatever the cells hold', () => {
    const { rows, findings } = read({
      Rows: [
        ['a', 12, '2', 'TRUE', 45_292, '1; 2.5', '{"type":"Point"}', '__proto__'],
        ['b', 'B', 2, 'no', '2024-02-29', '[3]', 'nowhere'],
        [undefined, 'C', 3, 'perhaps', 'soon', 4],
      ],
      '1 meters': [
        ['a', 'M1', '[{"id":"x"}]'],
        ['a', 7],
      ],
    });
    expect(findings).toEqual([]);
    expect(rows.map(({ document }) => document)).toEqual([
      {
        ...{ name: '12', kind: 2, open: true, since: '2024-01-01', sizes: [1, 2.5], area: { type: 'Point' } },
        ...{ place: { town: '__proto__' }, meters: [{ no: 'M1', parts: [{ id: 'x' }] }, { no: '7' }] },
      },
      { name: 'B', kind: 2, open: false, since: '2024-02-29', sizes: [3], area: 'nowhere' },
      { name: 'C', kind: 3, open: 'perhaps', since: 'soon', sizes: [4] },
    ]);
  });

  it('knows the cell of each answer, also of one that is missing, and of its lists', () => {
    const [row] = read({ Rows: [['a', 'A']], '1 meters': [['a', 'M1']] }).rows;
    const cells = ['/name', '/place/town', '/place', '/sizes/0', '/meters/0/no', '/nothing', ''].map((pointer) =>
      row?.cellAt(pointer),
    );
    expect(cells).toEqual(['Rows!B3', 'Rows!H3', 'Rows!H3', 'Rows!F3', '1 meters!B3', 'Rows!A3', 'Rows!A3']);
  });

  it('of a list belongs to a row, columns are of fields, and without the sheet of the form there is nothing', () => {
    expect(read({ '1 meters': [['z', 'M1']] }).findings).toMatchObject([{ code: 'ROW_UNKNOWN', cell: 'A3' }]);
    const odd = readRows({ sheets: [{ name: 'Rows', rows: [rowOf(2, ['#', 'name', 'colour'])] }] }, tables);
    expect(odd.findings).toMatchObject([{ severity: 'warning', code: 'COLUMN_UNKNOWN', cell: 'C2' }]);
    expect(readRows({ sheets: [] }, tables)).toMatchObject({ rows: [], findings: [{ code: 'COLUMN_MISSING' }] });
  });
});

describe('documents of a grid', () => {
  const credential = (subject: object): object => ({ credentialSubject: [{ id: 'urn:1', type: 'x', ...subject }] });
  const table = documentTable([
    {
      id: '1',
      owner: 'did:a',
      option: { status: 'New' },
      document: credential({ name: '-1', place: { town: 'Ulm' } }),
    },
    { id: '2', document: credential({ owner: 'Bob', sizes: [1, 2], note: 'a "b",\nc', size: -3, gone: null }) },
    { id: '3', document: { plain: true } },
    'no row',
  ]);

  it('have a column for each answer, and one for what is known of them', () => {
    expect(table.columns).toEqual([
      ...['id', 'owner', 'status', 'name', 'place.town', 'document.owner', 'sizes', 'note', 'size', 'plain'],
    ]);
    expect(table.rows).toHaveLength(3);
  });

  it('are a sheet, and comma-separated values in which no text is a formula', () => {
    const [sheet] = readWorkbook(writeWorkbook(tableWorkbook(table))).sheets;
    expect(sheet?.rows[1]?.cells.get('D')).toEqual({ value: '-1' });
    expect(tableCsv(table)).toBe(
      [
        '\uFEFFid,owner,status,name,place.town,document.owner,sizes,note,size,plain',
        `1,did:a,New,'-1,Ulm,,,,,`,
        `2,,,,,Bob,"[1,2]","a ""b"",\nc",-3,`,
        '3,,,,,,,,,true',
        '',
      ].join('\r\n'),
    );
  });
});

describe('comma-separated values', () => {
  const readCsv = (text: string | Uint8Array): SheetDocuments =>
    readCsvRows(typeof text === 'string' ? new TextEncoder().encode(text) : text, tables);

  it('name their fields in the first line, and become documents whose cells are known', () => {
    const { rows, findings } = readCsv(
      'name,kind,open,since,sizes,place.town\n"Roof, south",2,yes,2026-01-31,1;2.5,Bern\n',
    );
    expect(findings).toEqual([]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.document).toEqual({
      ...{ name: 'Roof, south', kind: 2, open: true, since: '2026-01-31', sizes: [1, 2.5] },
      place: { town: 'Bern' },
    });
    expect(rows[0]?.row).toBe(2);
    expect(rows[0]?.cellAt('/place/town')).toBe('Rows!F2');
  });

  it('may be a template that was saved as such', () => {
    const { rows } = readCsv(['Row,Name *,Kind', '#,name,kind', '1,Roof,1', ',,'].join('\r\n'));
    expect(rows.map(({ row, document }) => [row, document])).toEqual([[3, { name: 'Roof', kind: 1 }]]);
  });

  it.each([
    ['semicolons', 'name;kind\nRoof;1'],
    ['tabs', 'name\tkind\nRoof\t1'],
    ['a byte order mark', '\uFEFFname,kind\nRoof,1'],
    ['blank lines and short ones', 'name,kind,open\n\nRoof,1\n\n'],
  ])('are read with %s', (_how, text) => {
    expect(readCsv(text).rows.map(({ document }) => document)).toEqual([{ name: 'Roof', kind: 1 }]);
  });

  it('come back as the texts that they were exported from', () => {
    const table = documentTable([{ document: { credentialSubject: [{ name: '=1+1', open: true }] } }]);
    const { rows } = readCsv(tableCsv(table));
    expect(rows[0]?.document).toEqual({ name: '=1+1', open: true });
  });

  it('tell of columns that the form does not have', () => {
    expect(readCsv('name,colour\nRoof,red').findings).toMatchObject([{ code: 'COLUMN_UNKNOWN', cell: 'B1' }]);
  });

  it.each([
    ['another encoding than UTF-8', new Uint8Array([0x6e, 0xe4, 0x0a]), 'CSV UTF-8'],
    ['a quote that never ends', 'name\n"Roof', 'Quote Not Closed'],
  ])('are refused with %s', (_what, text, reason) => {
    expect(() => readCsv(text)).toThrow(reason);
  });

  it('are refused before they are read if they are too large', () => {
    const lines = new TextEncoder().encode('name\nRoof\nYard\n');
    expect(() => readCsvRows(lines, tables, { fileBytes: 5 })).toThrow('too large');
    expect(() => readCsvRows(lines, tables, { rows: 2 })).toThrow('more than 2 rows');
    expect(() => readCsvRows(lines, tables, { cells: 2 })).toThrow('more than 2 cells');
  });
});
