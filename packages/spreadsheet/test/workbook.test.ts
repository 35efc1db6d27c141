/** Workbooks as files: what is written is read again, and what is dangerous is refused before it is unpacked. */
import {
  readWorkbook,
  rowOf,
  workbookLimits,
  writeWorkbook,
  WorkbookError,
  type Workbook,
} from '@blockwork/spreadsheet';
import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (error instanceof WorkbookError) return error.code;
    throw error;
  }
  return undefined;
};

const sample: Workbook = {
  sheets: [{ name: 'One', rows: [rowOf(1, ['text', 1.5, true, { formula: 'A1&"x"', value: 'textx' }])] }],
};

/** The file with one of its parts replaced. */
function withPart(name: string, change: (text: string) => string): Uint8Array {
  const parts = unzipSync(writeWorkbook(sample));
  const text = new TextDecoder().decode(parts[name] ?? new Uint8Array());
  return zipSync({ ...parts, [name]: new TextEncoder().encode(change(text)) });
}

describe('a workbook', () => {
  it('is read as it was written', () => {
    const text = fc
      .string({ unit: 'binary' })
      .map((each) => each.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '?'));
    const value = fc.oneof(
      text.filter((each) => each !== ''),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
      fc.boolean(),
    );
    const rows = fc.array(fc.array(fc.option(value, { nil: undefined }), { maxLength: 30 }), { maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.nat(7), (lines, level) => {
        const sheet = {
          name: '__proto__',
          hidden: true,
          rows: lines.map((line, index) => rowOf(index + 1, line, level)),
        };
        const [read] = readWorkbook(writeWorkbook({ sheets: [sheet] })).sheets;
        expect(read?.rows.map(({ cells }) => [...cells])).toEqual(sheet.rows.map(({ cells }) => [...cells]));
        expect(read).toMatchObject({ name: '__proto__', hidden: true });
        expect(read?.rows.every((row) => row.level === level)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps formulas beside their results, and reads shared texts', () => {
    expect(readWorkbook(writeWorkbook(sample)).sheets[0]?.rows[0]?.cells.get('D')).toEqual({
      formula: 'A1&"x"',
      value: 'textx',
    });
    const shared = '<sst><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si></sst>';
    const parts = unzipSync(
      withPart(
        'xl/worksheets/sheet1.xml',
        () => '<worksheet><sheetData><row r="3"><c r="B3" t="s"><v>0</v></c></row></sheetData></worksheet>',
      ),
    );
    const bytes = zipSync({ ...parts, 'xl/sharedStrings.xml': new TextEncoder().encode(shared) });
    const [row] = readWorkbook(bytes).sheets[0]?.rows ?? [];
    expect(row).toMatchObject({ number: 3 });
    expect(row?.cells.get('B')).toEqual({ value: 'rich text' });
  });

  const sheetFile = (rows: string): Uint8Array =>
    withPart('xl/worksheets/sheet1.xml', () => `<worksheet><sheetData>${rows}</sheetData></worksheet>`);

  it('gives each cell the formula that it shares with others, moved as Excel moves it', () => {
    const first =
      '<c r="B2"><f t="shared" ref="B2:C3" si="0">A1+$A1*A$1+$A$1&amp;"A1"&amp;\'A1\'!A1+LOG10(A1)</f><v>1</v></c>';
    const next = (place: string): string => `<c r="${place}"><f t="shared" si="0"/><v>1</v></c>`;
    const { rows = [] } =
      readWorkbook(sheetFile(`<row r="2">${first}${next('C2')}</row><row r="3">${next('B3')}${next('AB3')}</row>`))
        .sheets[0] ?? {};
    const formulas = rows.flatMap(({ cells }) => [...cells].map(([column, { formula }]) => [column, formula]));
    expect(formulas).toEqual([
      ['B', 'A1+$A1*A$1+$A$1&"A1"&\'A1\'!A1+LOG10(A1)'],
      ['C', 'B1+$A1*B$1+$A$1&"A1"&\'A1\'!B1+LOG10(B1)'],
      ['B', 'A2+$A2*A$1+$A$1&"A1"&\'A1\'!A2+LOG10(A2)'],
      ['AB', 'AA2+$A2*AA$1+$A$1&"A1"&\'A1\'!AA2+LOG10(AA2)'],
    ]);
    const above = `<row r="1"><c r="A1"><f t="shared" si="1">A1</f></c></row>`;
    const orphan = (): unknown => readWorkbook(sheetFile(`${above}<row r="2">${next('D2')}</row>`));
    expect(orphan).toThrow('D2 of the sheet "One" shares a formula');
  });

  it('counts cells that have no address from the one before them', () => {
    const [row] =
      readWorkbook(sheetFile('<row r="1"><c><v>1</v></c><c r="Z1"><v>2</v></c><c><v>3</v></c></row>')).sheets[0]
        ?.rows ?? [];
    expect([...(row?.cells ?? [])].map(([column, { value }]) => [column, value])).toEqual([
      ['A', 1],
      ['Z', 2],
      ['AA', 3],
    ]);
  });

  it('is refused where a row is grouped deeper than the format allows', () => {
    for (const level of ['8', '-1', 'x']) {
      expect(() => readWorkbook(sheetFile(`<row r="4" outlineLevel="${level}"/>`))).toThrow('row 4 of the sheet "One"');
    }
    expect(readWorkbook(sheetFile('<row r="4" outlineLevel="7"/>')).sheets[0]?.rows[0]?.level).toBe(7);
  });

  it('that unpacks to too much is refused before it is unpacked', () => {
    const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(workbookLimits.entryBytes + 1) });
    expect(bomb.length).toBeLessThan(1_000_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(codeOf(() => readWorkbook(bomb))).toBe('WORKBOOK_TOO_LARGE');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });

  it.each([
    ['no archive', new TextEncoder().encode('a,b,c'), 'WORKBOOK_INVALID'],
    ['another archive', zipSync({ 'policy.json': new Uint8Array(1) }), 'WORKBOOK_INVALID'],
    ['macros', withPart('xl/vbaProject.bin', () => 'x'), 'WORKBOOK_INVALID'],
    ['links to other files', withPart('xl/externalLinks/externalLink1.xml', () => 'x'), 'WORKBOOK_INVALID'],
    [
      'a document type',
      withPart('xl/worksheets/sheet1.xml', (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`),
      'WORKBOOK_INVALID',
    ],
    ['XML that breaks off', withPart('xl/worksheets/sheet1.xml', (xml) => xml.slice(0, -20)), 'WORKBOOK_INVALID'],
    [
      'a cell with too long a text',
      withPart('xl/worksheets/sheet1.xml', (xml) => xml.replace('>text<', `>${'x'.repeat(40_000)}<`)),
      'WORKBOOK_TOO_LARGE',
    ],
  ])('%s is refused', (_, bytes, code) => {
    expect(codeOf(() => readWorkbook(bytes))).toBe(code);
  });
});
