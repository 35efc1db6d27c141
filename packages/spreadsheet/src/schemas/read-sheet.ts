/** Reads a sheet into the fields of a schema, with findings by cell. */
import { refusedKeys, type Condition } from '@blockwork/contract/schema-model';
import { conditionOf } from '../formulas/condition.js';
import { evaluate } from '../formulas/evaluate.js';
import { expressionOf } from '../formulas/expression.js';
import { FormulaError, type CellReference } from '../formulas/formula.js';
import { parseFormula } from '../formulas/parse-formula.js';
import type { Cell, CellValue, Row, Sheet } from '../workbook/workbook.js';
import { isValueType, SUB_SCHEMA, typedCondition } from './field-types.js';
import { laterTitles, neededTitles, titles, type SheetFinding, type SheetFindingCode, type Title } from './schema.js';

export type Visibility =
  | { readonly kind: 'shown' | 'hidden' }
  | { readonly kind: 'calculated'; readonly expression: string }
  | { readonly kind: 'if'; readonly condition: Condition };

/** A row of a sheet, as it is meant. Nothing of it depends on where the row stands. */
export interface Field {
  readonly key: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly parameter: string;
  readonly visibility: Visibility;
  readonly question: string;
  readonly isList: boolean;
  readonly answer?: CellValue;
  readonly default?: CellValue;
  readonly suggest?: CellValue;
}

export interface SheetSchema {
  readonly name: string;
  readonly description: string;
  readonly entity: string;
  readonly fields: readonly Field[];
  /** The rows of the fields, by key. */
  readonly places: ReadonlyMap<string, number>;
  readonly columns: ReadonlyMap<Title, string>;
  /** The schemas whose rows are grouped below its fields, and below theirs; each name once. */
  readonly nested: readonly SheetSchema[];
}

/** Whether it is the sheet of a schema: it has the title of a needed column in one of its first cells. */
export const isSchemaSheet = ({ rows }: Sheet): boolean =>
  rows.slice(0, 10).some(({ cells }) => [...cells.values()].slice(0, 10).some(({ value }) => value === 'Field Type'));

type Report = (code: SheetFindingCode, message: string, cell?: string, severity?: 'error' | 'warning') => void;

export function readSheet(sheet: Sheet, findings: SheetFinding[]): SheetSchema {
  const report: Report = (code, message, cell, severity = 'error') => {
    findings.push({ severity, code, sheet: sheet.name, ...(cell !== undefined && { cell }), message });
  };
  const head = headerOf(sheet.rows);
  const header = sheet.rows[head];
  const columns = new Map<Title, string>();
  for (const [column, { value }] of header?.cells ?? []) {
    const title = titleOf(value);
    if (title !== undefined) columns.set(title, column);
  }
  for (const title of neededTitles) {
    if (!columns.has(title))
      report('COLUMN_MISSING', `The column "${title}" is missing.`, `A${String(header?.number ?? 1)}`);
  }
  const [first] = sheet.rows;
  const name = head > 0 && first?.number === 1 ? textOf(first.cells.get('A')?.value) : '';
  if (name === '') report('NAME_MISSING', 'The schema has no name: cell A1 is empty.', 'A1');

  const rows = sheet.rows.slice(head + 1).filter(({ cells }) => cells.size > 0);
  const answers = columns.get('Answer') ?? '';
  const nested = new Map<string, SheetSchema>();
  const cells = new Map(sheet.rows.map((row) => [row.number, row.cells]));
  const valueAt = ({ column, row }: CellReference): CellValue | undefined => cells.get(row)?.get(column)?.value;

  const facts = new Map(
    sheet.rows.slice(0, head).map(({ cells: each }) => [textOf(each.get('A')?.value), textOf(each.get('B')?.value)]),
  );
  const top = schemaOf(groupedRows(rows, report), {
    name: name === '' ? sheet.name : name,
    description: facts.get('Description') ?? '',
    entity: entityOf(facts.get('Schema Type') ?? ''),
  });
  return { ...top, nested: [...nested.values()] };

  function schemaOf(
    entries: readonly FieldRow[],
    about: Pick<SheetSchema, 'name' | 'description' | 'entity'>,
  ): SheetSchema {
    const own = entries.map(({ row }) => row);
    const keys = keysOf(own, columns, report);
    const types = new Map(
      own.map((row) => [keys.get(row.number), textOf(row.cells.get(columns.get('Field Type') ?? '')?.value)]),
    );
    const keyOf = (cell: CellReference): string => {
      const place = `${cell.column}${String(cell.row)}`;
      if (cell.sheet !== undefined && cell.sheet !== sheet.name) throw new FormulaError(`${place} is on another sheet`);
      const key = cell.column === answers ? keys.get(cell.row) : undefined;
      if (key !== undefined) return key;
      const isElsewhere = cell.column === answers && rows.some(({ number }) => number === cell.row);
      throw new FormulaError(`${place} is not the answer of a field${isElsewhere ? ' of the same schema' : ''}`);
    };
    const fields = entries.flatMap((entry): Field[] => {
      const key = keys.get(entry.row.number);
      if (key === undefined) return [];
      const field = fieldOf(entry.row, key, keyOf, types);
      if (entry.below.length > 0) addNested(field, entry);
      return [field];
    });
    return { ...about, fields, places: new Map([...keys].map(([row, key]) => [key, row])), columns, nested: [] };
  }

  /** Rows below a reference to another sheet are copies of its rows. */
  function addNested({ type, parameter, question }: Field, { row, below }: FieldRow): void {
    const place = `${columns.get('Field Type') ?? 'A'}${String(row.number)}`;
    if (isValueType(type)) {
      const message = `${place} is of the type "${type}", which has no fields of its own: the rows grouped below it are not read.`;
      report('GROUP_INVALID', message, place);
      return;
    }
    if (type !== SUB_SCHEMA) return;
    const of = parameter === '' ? question : parameter;
    if (of === '') {
      report('NAME_MISSING', 'The nested schema has neither a parameter nor a question.', place);
      return;
    }
    const schema = schemaOf(below, { name: of, description: '', entity: 'NONE' });
    const existing = nested.get(of);
    if (existing === undefined) nested.set(of, schema);
    else if (meaningOf(existing) !== meaningOf(schema)) {
      report(
        'SCHEMA_DUPLICATE',
        `The sheet has other fields for "${of}" before ${place}: those count.`,
        place,
        'warning',
      );
    }
  }

  function fieldOf(
    row: Row,
    key: string,
    keyOf: (cell: CellReference) => string,
    types: ReadonlyMap<string | undefined, string>,
  ): Field {
    const cell = (title: Title): Cell => row.cells.get(columns.get(title) ?? '') ?? {};
    const at = (title: Title): string => `${columns.get(title) ?? 'A'}${String(row.number)}`;
    const text = (title: Title): string => textOf(cell(title).value);
    const guarded = <Result>(title: Title, code: SheetFindingCode, read: () => Result): Result | undefined => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof FormulaError)) throw error;
        report(code, `The formula in ${at(title)} cannot be used: ${error.message}.`, at(title));
        return undefined;
      }
    };
    const type = text('Field Type');
    if (type === '') report('TYPE_UNKNOWN', `${at('Field Type')} has no field type.`, at('Field Type'));
    const { formula, value } = cell('Answer');
    let visibility = visibilityOf();
    if (formula !== undefined) {
      const tree = guarded('Answer', 'FORMULA_INVALID', () => parseFormula(formula));
      if (tree !== undefined) {
        const expression = guarded('Answer', 'FORMULA_INVALID', () => expressionOf(tree, keyOf));
        const result =
          expression === undefined ? undefined : guarded('Answer', 'FORMULA_INVALID', () => evaluate(tree, valueAt));
        if (value !== undefined && result !== undefined && !isSame(value, result)) {
          const message = `The formula in ${at('Answer')} gives ${String(result)}, but the workbook stores ${String(value)}.`;
          report('FORMULA_DIFFERS', message, at('Answer'), 'warning');
        }
        if (type === 'Auto-Calculate' && expression !== undefined) visibility = { kind: 'calculated', expression };
      }
    } else if (type === 'Auto-Calculate') report('FORMULA_INVALID', `${at('Answer')} has no formula.`, at('Answer'));

    function visibilityOf(): Visibility {
      const shown = cell('Visibility');
      const written = shown.formula ?? shown.value ?? '';
      if (written === '' || /^true$/i.test(String(written))) return { kind: 'shown' };
      if (/^(hidden|no|false)$/i.test(String(written))) return { kind: 'hidden' };
      if (/^auto(-calculate)?$/i.test(String(written))) {
        const expression = text('Parameter');
        if (expression === '') report('FORMULA_INVALID', `${at('Parameter')} has no expression.`, at('Parameter'));
        return { kind: 'calculated', expression };
      }
      const source = String(written).replace(/^=/, '');
      const condition = guarded('Visibility', 'CONDITION_INVALID', () =>
        typedCondition(conditionOf(parseFormula(source), keyOf), (each) => types.get(each) ?? ''),
      );
      return condition === undefined ? { kind: 'shown' } : { kind: 'if', condition };
    }

    const isAuto = type !== 'Auto-Calculate' && visibility.kind === 'calculated';
    const memberOf = (member: string, each: CellValue | undefined): object =>
      each === undefined ? {} : { [member]: each };
    return {
      key,
      isRequired: text('Required Field') === 'Yes',
      type,
      parameter: isAuto ? '' : text('Parameter'),
      visibility,
      question: text('Question'),
      isList: text('Allow Multiple Answers') === 'Yes',
      ...(formula === undefined && memberOf('answer', value)),
      ...memberOf('default', cell('Default').value),
      ...memberOf('suggest', cell('Suggest').value),
    };
  }
}

/** A row of a field, and those that are grouped below it. */
interface FieldRow {
  readonly row: Row;
  readonly below: FieldRow[];
}

/** A row of the next level belongs to the last row of its own. */
function groupedRows(rows: readonly Row[], report: Report): FieldRow[] {
  const top: FieldRow[] = [];
  const open: FieldRow[] = [];
  for (const row of rows) {
    const { level = 0, number } = row;
    if (level > open.length) {
      const message = `Row ${String(number)} is grouped ${String(level)} levels deep, and the row above it only ${String(Math.max(0, open.length - 1))}.`;
      report('GROUP_INVALID', message, `A${String(number)}`);
    }
    const depth = Math.min(level, open.length);
    const entry: FieldRow = { row, below: [] };
    (open[depth - 1]?.below ?? top).push(entry);
    open.splice(depth, open.length, entry);
  }
  return top;
}

const meaningOf = ({ fields }: SheetSchema): string =>
  JSON.stringify(fields.map(({ question, type }) => [question, type]));

/** The first row with a title in column A; else the one by which the sheet was recognized. */
function headerOf(rows: readonly Row[]): number {
  const first = rows.findIndex(({ cells }) => titleOf(cells.get('A')?.value) !== undefined);
  if (first !== -1) return first;
  return rows.findIndex(({ cells }) => [...cells.values()].some(({ value }) => value === 'Field Type'));
}

function titleOf(value: unknown): Title | undefined {
  const text = typeof value === 'string' ? value : '';
  return titles.find((title) => title === text) ?? (Object.hasOwn(laterTitles, text) ? laterTitles[text] : undefined);
}

function entityOf(written: string): string {
  if (/^(VC|Verifiable Credentials)$/.test(written)) return 'VC';
  return /^(EVC|Encrypted Verifiable Credential)$/.test(written) ? 'EVC' : 'NONE';
}

/** By row. A field without a key is named after its question, so that rows can move. */
function keysOf(rows: readonly Row[], columns: ReadonlyMap<Title, string>, report: Report): Map<number, string> {
  const keys = new Map<number, string>();
  const column = columns.get('Key');
  for (const { number, cells } of rows) {
    const written = column === undefined ? '' : textOf(cells.get(column)?.value);
    const question = textOf(cells.get(columns.get('Question') ?? '')?.value);
    const key = written === '' ? keyFrom(question, new Set(keys.values()), number) : written;
    const cell = `${column ?? columns.get('Question') ?? 'A'}${String(number)}`;
    if (/\s/.test(key) || refusedKeys.includes(key))
      report('KEY_INVALID', `"${key}" cannot be the key of a field.`, cell);
    else if ([...keys.values()].includes(key)) report('FIELD_DUPLICATE', `A second field has the key "${key}".`, cell);
    else keys.set(number, key);
  }
  return keys;
}

function keyFrom(question: string, takenKeys: ReadonlySet<string>, row: number): string {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [`field${String(row)}`];
  const key = words
    .slice(0, 8)
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('');
  let candidate = key;
  for (let count = 2; takenKeys.has(candidate); count += 1) candidate = `${key}${String(count)}`;
  return candidate;
}

const textOf = (value: CellValue | undefined): string => (value === undefined ? '' : String(value));

/** Within what spreadsheets show of a number. */
const isSame = (stored: CellValue, result: CellValue): boolean =>
  typeof stored === 'number' && typeof result === 'number'
    ? Math.abs(stored - result) <= 1e-9 * Math.max(1, Math.abs(stored))
    : stored === result;
