/** Reads `.xlsx` files (ECMA-376) into workbooks: values, formulas with their results, and grouping of rows. */
import { unpackArchive } from '@blockwork/core/files';
import { workbookLimits, type WorkbookLimits } from './limits.js';
import { WorkbookError } from './workbook-error.js';
import { columnIndex, columnName, type Cell, type CellValue, type Row, type Sheet, type Workbook } from './workbook.js';
import { readXml } from './xml.js';

/** @throws WorkbookError, before anything is unpacked if the file is too large. */
export function readWorkbook(bytes: Uint8Array, lower: Partial<WorkbookLimits> = {}): Workbook {
  const limits = { ...workbookLimits, ...lower };
  const parts = unpacked(bytes, limits);
  const part = (name: string): Uint8Array => {
    const content = parts.get(name);
    if (content === undefined) throw invalid(`the file has no ${name}, so it is not a workbook`);
    return content;
  };
  const refused = [...parts.keys()].find((name) => /vbaProject\.bin$|^xl\/externalLinks\//.test(name));
  if (refused !== undefined) throw invalid(`it has ${refused}: macros and links to other files are not read`);
  const texts = parts.has('xl/sharedStrings.xml') ? sharedTexts(part('xl/sharedStrings.xml')) : [];
  const targets = relations(part('xl/_rels/workbook.xml.rels'));
  let budget: number = limits.cells;
  const sheets = sheetList(part('xl/workbook.xml')).map(({ name, hidden, relation }): Sheet => {
    const target = targets.get(relation) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    const rows = sheetRows(part(path), name, texts, limits);
    budget -= rows.reduce((sum, { cells }) => sum + cells.size, 0);
    if (budget < 0) throw tooLarge(`it has more than ${String(limits.cells)} cells`);
    return { name, ...(hidden && { hidden }), rows };
  });
  return { sheets };
}

function unpacked(bytes: Uint8Array, limits: WorkbookLimits): Map<string, Uint8Array> {
  try {
    const { fileBytes, entryBytes, totalBytes, entries, ratio } = limits;
    return unpackArchive(bytes, { fileBytes, entryBytes, totalBytes, entries, ratio });
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message: string };
    const reason = message.replace(/^.*?: /, '').replace(/\.$/, '');
    throw code === 'POLICY_FILE_TOO_LARGE' ? tooLarge(reason, cause) : invalid(reason, cause);
  }
}

function sharedTexts(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  let [text, isText, isPhonetic] = ['', false, false];
  readXml(bytes, 'sharedStrings.xml', {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      if (name === 'si') texts.push(bounded(text));
      if (name === 'rPh') isPhonetic = false;
      isText = false;
    },
  });
  return texts;
}

function relations(bytes: Uint8Array): Map<string, string> {
  const targets = new Map<string, string>();
  readXml(bytes, 'workbook.xml.rels', {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') targets.set(Id, Target);
    },
  });
  return targets;
}

function sheetList(bytes: Uint8Array): { name: string; hidden: boolean; relation: string }[] {
  const sheets: { name: string; hidden: boolean; relation: string }[] = [];
  readXml(bytes, 'workbook.xml', {
    open(tag, attributes) {
      if (tag !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const relation = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      sheets.push({ name, hidden: state !== 'visible', relation });
    },
  });
  return sheets;
}

interface OpenCell {
  readonly column: string;
  readonly type: string;
  value: string;
  formula: string | undefined;
  /** The name of the formula that it shares with other cells. */
  shared: string | undefined;
}

function sheetRows(bytes: Uint8Array, sheet: string, texts: readonly string[], limits: WorkbookLimits): Row[] {
  const rows: Row[] = [];
  let row: { number: number; level: number; cells: Map<string, Cell> } | undefined;
  let cell: OpenCell | undefined;
  let member: 'value' | 'formula' | undefined;
  let index = 0;
  const formulas = new SharedFormulas(sheet);
  readXml(bytes, `The sheet "${sheet}"`, {
    open(name, attributes) {
      if (name === 'row') {
        const number = Number(attributes['r'] ?? (rows.at(-1)?.number ?? 0) + 1);
        if (rows.length >= limits.rows)
          throw tooLarge(`the sheet "${sheet}" has more than ${String(limits.rows)} rows`);
        const level = attributes['outlineLevel'] ?? '0';
        if (!/^[0-7]$/.test(level))
          throw invalid(
            `row ${String(number)} of the sheet "${sheet}" is grouped "${level}" levels deep, and 7 are the most`,
          );
        row = { number, level: Number(level), cells: new Map() };
        rows.push(row);
        index = 0;
      } else if (name === 'c') {
        // A cell without an address stands beside the one before it.
        const column = /^[A-Z]{1,3}/.exec(attributes['r'] ?? '')?.[0] ?? columnName(index);
        index = columnIndex(column) + 1;
        cell = { column, type: attributes['t'] ?? 'n', value: '', formula: undefined, shared: undefined };
        if ((row?.cells.size ?? 0) >= limits.columns)
          throw tooLarge(`the sheet "${sheet}" has more than ${String(limits.columns)} columns`);
      } else if (name === 'v' || name === 't') member = 'value';
      else if (name === 'f' && cell !== undefined) {
        member = 'formula';
        cell.formula = '';
        if (attributes['t'] === 'shared') cell.shared = attributes['si'] ?? '';
      }
    },
    text(text) {
      if (cell === undefined || member === undefined) return;
      if (member === 'value') cell.value = bounded(cell.value + text);
      else cell.formula = bounded((cell.formula ?? '') + text);
    },
    close(name) {
      member = undefined;
      if (name !== 'c' || cell === undefined) return;
      const value = cellValue(cell, texts);
      const { column } = cell;
      const formula = formulas.formulaOf(cell, row?.number ?? 0);
      if (value !== undefined || formula !== undefined)
        row?.cells.set(column, { ...(value !== undefined && { value }), ...(formula !== undefined && { formula }) });
      cell = undefined;
    },
  });
  return rows;
}

/** Formulas that a file has once, at the first of the cells that share them. */
class SharedFormulas {
  readonly #first = new Map<string, { readonly formula: string; readonly column: string; readonly row: number }>();

  constructor(private readonly sheet: string) {}

  formulaOf({ shared, formula, column }: OpenCell, row: number): string | undefined {
    if (shared === undefined) return formula;
    if (formula !== undefined && formula !== '') {
      this.#first.set(shared, { formula, column, row });
      return formula;
    }
    const first = this.#first.get(shared);
    const place = `${column}${String(row)}`;
    if (first === undefined)
      throw invalid(`${place} of the sheet "${this.sheet}" shares a formula that no cell before it has`);
    return bounded(movedFormula(first.formula, columnIndex(column) - columnIndex(first.column), row - first.row));
  }
}

/** Texts and names of sheets, which stay as they are, and addresses of cells; not names of functions. */
const parts = /"(?:[^"]|"")*"|'(?:[^']|'')*'|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)([1-9]\d{0,6})(?![\w.(])/g;

/** The formula as Excel writes it so many columns and rows further; addresses with `$` stay. */
function movedFormula(formula: string, columns: number, rows: number): string {
  return formula.replaceAll(parts, (whole, fixedColumn?: string, column?: string, fixedRow?: string, row?: string) => {
    if (column === undefined || row === undefined) return whole;
    const [at, number] = [
      columnIndex(column) + (fixedColumn === '$' ? 0 : columns),
      Number(row) + (fixedRow === '$' ? 0 : rows),
    ];
    return at < 0 || number < 1 ? '#REF!' : `${fixedColumn ?? ''}${columnName(at)}${fixedRow ?? ''}${String(number)}`;
  });
}

function cellValue({ type, value }: OpenCell, texts: readonly string[]): CellValue | undefined {
  if (type === 's') return texts[Number(value)];
  if (value === '' && type !== 'inlineStr') return undefined;
  if (type === 'b') return value === '1';
  return type === 'n' ? Number(value) : value;
}

function bounded(text: string): string {
  const { textCharacters } = workbookLimits;
  if (text.length > textCharacters) throw tooLarge(`a cell has more than ${String(textCharacters)} characters`);
  return text;
}

const invalid = (reason: string, cause?: unknown): WorkbookError =>
  new WorkbookError('WORKBOOK_INVALID', `The workbook cannot be read: ${reason}.`, cause);
const tooLarge = (reason: string, cause?: unknown): WorkbookError =>
  new WorkbookError('WORKBOOK_TOO_LARGE', `The workbook is too large: ${reason}.`, cause);
