/** A workbook as schemas. What a row says the same as at the export keeps everything that has no column. */
import { isObject, withDefinitions } from '@blockwork/contract/schema-model';
import type { Row, Sheet, Workbook } from '../workbook/workbook.js';
import { rebuiltDocument, type Before } from './build-document.js';
import { exportSchemas } from './export-schemas.js';
import { isSchemaSheet, readSheet, type SheetSchema } from './read-sheet.js';
import { ENUMS, ORIGINALS, type PolicySchema, type SheetFinding } from './schema.js';

export interface ImportOptions {
  /** The IRI of a schema that the workbook did not get from an export: `#<uuid>`. Asked again if another schema has it. */
  readonly newIri: (name: string) => string;
}

export interface ImportedSchemas {
  readonly schemas: readonly PolicySchema[];
  /** All of them, of all sheets. Errors are in fields that are incomplete. */
  readonly findings: readonly SheetFinding[];
  /** The IRIs of the schemas of which the workbook says the same as when it was exported. */
  readonly unedited: ReadonlySet<string>;
}

/** A schema as a sheet has it: its own, or one whose rows are grouped below a field. */
interface ReadSchema {
  readonly sheet: string;
  readonly isOfSheet: boolean;
  readonly written: SheetSchema;
  readonly before: Before | undefined;
  readonly iri: string;
  /** The IRIs of the schemas whose rows are grouped on the sheet, by their names. */
  readonly nested: ReadonlyMap<string, string>;
}

export function importSchemas(workbook: Workbook, { newIri }: ImportOptions): ImportedSchemas {
  const findings: SheetFinding[] = [];
  const originals = readOriginals(workbook);
  const exported = exportSchemas([...originals.values()]);
  const lists = readLists(workbook, findings);
  const listsBefore = readLists(exported, []);
  const sheets = workbook.sheets.filter((sheet) => {
    if ([ENUMS, ORIGINALS, 'README'].includes(sheet.name)) return false;
    if (isSchemaSheet(sheet)) return true;
    const message = `The sheet "${sheet.name}" has no column "Field Type", so it is no schema; it is ignored.`;
    findings.push({ severity: 'warning', code: 'SHEET_IGNORED', sheet: sheet.name, message });
    return false;
  });
  const takenIris = new Set([...originals.values()].map(({ iri }) => iri));
  const iriFor = (name: string): string => {
    let iri = newIri(name);
    while (takenIris.has(iri)) iri = newIri(name);
    takenIris.add(iri);
    return iri;
  };
  const read = sheets.flatMap((sheet): ReadSchema[] => {
    const written = readSheet(sheet, findings);
    const original = originals.get(sheet.name);
    const sheetBefore = exported.sheets.find(({ name }) => name === sheet.name);
    const before = original && sheetBefore && { original, fields: readSheet(sheetBefore, []) };
    const below = written.nested.map((each) => ({ written: each, before: undefined, iri: iriFor(each.name) }));
    const nested = new Map(below.map(({ written: { name }, iri }) => [name, iri]));
    const top = { written, before, iri: original?.iri ?? iriFor(written.name) };
    return [top, ...below].map((each, index) => ({ ...each, sheet: sheet.name, nested, isOfSheet: index === 0 }));
  });
  const ofSheets = read.filter(({ isOfSheet }) => isOfSheet);
  const iris = new Map([
    ...ofSheets.map(({ written, iri }) => [written.name, iri] as const),
    ...ofSheets.map(({ sheet, iri }) => [sheet, iri] as const),
  ]);
  const schemas = read.map(({ sheet, written, before, iri, nested }): PolicySchema => {
    const document = rebuiltDocument(iri, written, before, { lists, listsBefore, iris, nested }, sheet, findings);
    const { original } = before ?? {};
    const isSame = document === original?.document && before !== undefined && sameHead(written, before.fields);
    return isSame ? before.original : { ...original, iri, ...headOf(written), document };
  });
  const exportedBefore = new Set(originals.values());
  const complete = withDefinitions(schemas);
  const unedited = complete.filter((schema) => exportedBefore.has(schema)).map(({ iri }) => iri);
  return { schemas: complete, findings, unedited: new Set(unedited) };
}

const headOf = ({ name, description, entity }: SheetSchema): Pick<PolicySchema, 'name' | 'description' | 'entity'> => ({
  name,
  description,
  entity,
});

const sameHead = (a: SheetSchema, b: SheetSchema): boolean => JSON.stringify(headOf(a)) === JSON.stringify(headOf(b));

/** By the names of their sheets. */
function readOriginals({ sheets }: Workbook): Map<string, PolicySchema> {
  const rows = sheets.find(({ name }) => name === ORIGINALS)?.rows ?? [];
  return new Map(rows.flatMap(originalIn));
}

/** None if somebody wrote into the hidden sheet. */
function originalIn({ cells }: Row): [string, PolicySchema][] {
  const [name, ...chunks] = [...cells.values()].map(({ value }) => String(value ?? ''));
  try {
    const schema: unknown = JSON.parse(chunks.join(''));
    const isSchema = isObject(schema) && typeof schema['iri'] === 'string' && isObject(schema['document']);
    return isSchema ? [[name ?? '', schema as unknown as PolicySchema]] : [];
  } catch {
    return [];
  }
}

function readLists({ sheets }: Workbook, findings: SheetFinding[]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  const sheet: Sheet | undefined = sheets.find(({ name }) => name === ENUMS);
  const [header, ...rows] = sheet?.rows ?? [];
  if (header === undefined) return lists;
  const columnOf = (title: string): string | undefined =>
    [...header.cells].find(([, { value }]) => value === title)?.[0];
  const [names, values] = [columnOf('Enum Name'), columnOf('Value')];
  if (names === undefined || values === undefined) {
    const message = 'The sheet "Enums" needs the columns "Enum Name" and "Value".';
    findings.push({ severity: 'error', code: 'COLUMN_MISSING', sheet: ENUMS, cell: 'A1', message });
    return lists;
  }
  let list: string[] = [];
  for (const { cells } of rows) {
    const name = cells.get(names)?.value;
    if (name !== undefined) lists.set(String(name), (list = []));
    const value = cells.get(values)?.value;
    if (value !== undefined) list.push(String(value));
  }
  return lists;
}
