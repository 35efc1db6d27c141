/** Schemas as a workbook: a sheet for each, the lists of choices, and the originals for what has no column. */
import {
  commentOf,
  isObject,
  readKeywords,
  writtenMembers,
  type Condition,
  type Json,
} from '@blockwork/contract/schema-model';
import { formulaOf } from '../formulas/condition.js';
import { rowOf, type CellValue, type Cell, type Row, type Sheet, type Workbook } from '../workbook/workbook.js';
import { typeOfProperty, type Names, type NamedList } from './field-types.js';
import { ENUMS, ORIGINALS, policySchemas, titles, type PolicySchema } from './schema.js';

const FIRST_FIELD = 5;
/** Below the limit of a cell. */
const CHUNK = 30_000;

/** Of the `schemas` of a definition those that have a document. */
export function exportSchemas(entries: readonly unknown[]): Workbook {
  const schemas = policySchemas(entries);
  const sheetNames = new SheetNames([ENUMS, ORIGINALS, 'README']);
  const named = schemas.map((schema) => ({ schema, sheet: sheetNames.next(schema.name ?? schema.iri) }));
  const lists = new Lists();
  const names: Names = {
    schema: (iri) => named.find(({ schema }) => schema.iri === iri)?.sheet ?? iri,
    list: (list) => lists.add(list),
  };
  const sheets = named.map(({ schema, sheet }) => schemaSheet(sheet, schema, names));
  return { sheets: [...sheets, ...lists.sheets(), originals(named)] };
}

/** Unique without case, as spreadsheet programs compare them. */
class SheetNames {
  readonly #taken: Set<string>;

  constructor(takenNames: readonly string[]) {
    this.#taken = new Set(takenNames.map((name) => name.toLowerCase()));
  }

  next(name: string): string {
    const plain =
      name
        .replaceAll(/[*?:\\/[\]\p{Cc}]/gu, '')
        .replaceAll(/^'+|'+$/g, '')
        .trim()
        .slice(0, 26) || 'Schema';
    let candidate = plain;
    for (let count = 1; this.#taken.has(candidate.toLowerCase()); count += 1) candidate = `${plain} ${String(count)}`;
    this.#taken.add(candidate.toLowerCase());
    return candidate;
  }
}

/** Equal lists have one name; others of the same name are numbered. */
class Lists {
  readonly #lists = new Map<string, readonly string[]>();

  add({ name, values }: NamedList): string {
    let candidate = name;
    for (let count = 1; ; count += 1) {
      const shared = this.#lists.get(candidate);
      if (shared === undefined || JSON.stringify(shared) === JSON.stringify(values)) break;
      candidate = `${name} ${String(count)}`;
    }
    this.#lists.set(candidate, values);
    return candidate;
  }

  sheets(): Sheet[] {
    if (this.#lists.size === 0) return [];
    const lines: (CellValue | undefined)[][] = [['Enum Name', 'Loaded to IPFS', 'Value']];
    for (const [name, values] of this.#lists) {
      values.forEach((value, index) => lines.push(index === 0 ? [name, 'No', value] : [undefined, undefined, value]));
      if (values.length === 0) lines.push([name, 'No']);
    }
    return [{ name: ENUMS, rows: lines.map((line, index) => rowOf(index + 1, line)) }];
  }
}

function originals(named: readonly { readonly schema: PolicySchema; readonly sheet: string }[]): Sheet {
  const rows = named.map(({ schema, sheet }, index) => {
    const text = JSON.stringify(schema);
    const chunks = Array.from({ length: Math.ceil(text.length / CHUNK) }, (_, at) =>
      text.slice(at * CHUNK, (at + 1) * CHUNK),
    );
    return rowOf(index + 1, [sheet, ...chunks]);
  });
  return { name: ORIGINALS, hidden: true, rows };
}

const kinds: Readonly<Record<string, string>> = {
  VC: 'Verifiable Credentials',
  EVC: 'Encrypted Verifiable Credential',
};

function schemaSheet(name: string, schema: PolicySchema, names: Names): Sheet {
  const { document } = schema;
  const properties = isObject(document['properties']) ? document['properties'] : {};
  const keys = Object.keys(properties).filter((key) => !writtenMembers.includes(key));
  const addresses = new Map(keys.map((key, index) => [key, `G${String(FIRST_FIELD + index)}`]));
  const conditions = conditionsOf(document);
  const required: unknown = document['required'];
  const rows = keys.map((key, index): Row => {
    const property = properties[key];
    const facts = isObject(property) ? property : {};
    const isRequired = Array.isArray(required) && required.includes(key);
    const shown = conditions.get(key);
    const visibility = shown && formulaOf(shown, (each) => addresses.get(each));
    return fieldRow(FIRST_FIELD + index, { key, property: facts, isRequired, visibility }, names);
  });
  const head: (CellValue | undefined)[][] = [
    [schema.name ?? name],
    ['Description', schema.description ?? ''],
    ['Schema Type', kinds[schema.entity ?? ''] ?? 'Sub-Schema'],
    [...titles],
  ];
  return { name, rows: [...head.map((line, index) => rowOf(index + 1, line)), ...rows] };
}

interface WrittenField {
  readonly key: string;
  readonly property: Json;
  readonly isRequired: boolean;
  readonly visibility: string | undefined;
}

function fieldRow(number: number, { key, property, isRequired, visibility }: WrittenField, names: Names): Row {
  const { hidden, autocalculate, expression, suggest } = commentOf(property);
  const { type, parameter } = typeOfProperty(key, property, names);
  const isAuto = autocalculate === true;
  const shown: Cell | CellValue | undefined = isAuto
    ? 'Auto'
    : hidden === true
      ? 'Hidden'
      : visibility === undefined
        ? undefined
        : { formula: visibility };
  const examples: unknown = property['examples'];
  return rowOf(number, [
    isRequired ? 'Yes' : 'No',
    type,
    isAuto && typeof expression === 'string' ? expression : parameter,
    shown,
    typeof property['description'] === 'string' ? property['description'] : key,
    property['type'] === 'array' ? 'Yes' : 'No',
    cellOf(Array.isArray(examples) ? examples[0] : undefined),
    cellOf(property['default']),
    cellOf(suggest),
    key,
  ]);
}

/** Lists and objects as JSON text. */
function cellOf(value: unknown): CellValue | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : (value as CellValue);
}

/** When each field is shown; of several conditions the first. */
function conditionsOf(document: Json): Map<string, Condition> {
  const shown = new Map<string, Condition>();
  const rules: unknown = document['allOf'];
  for (const rule of Array.isArray(rules) ? rules.filter(isObject) : []) {
    const test = readKeywords(rule['if']);
    if (test === undefined) continue;
    for (const [branch, condition] of [
      ['then', test],
      ['else', { kind: 'not', of: test }],
    ] as const) {
      const part = rule[branch];
      const properties = isObject(part) && isObject(part['properties']) ? part['properties'] : {};
      for (const [key, property] of Object.entries(properties)) {
        if (property !== false && !shown.has(key)) shown.set(key, condition);
      }
    }
  }
  return shown;
}
