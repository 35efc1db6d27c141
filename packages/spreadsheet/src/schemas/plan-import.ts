/** What an import of a workbook does to the schemas of a draft, as edit operations: planned first, applied by the engine. */
import { createHash } from 'node:crypto';
import type { WorkbookLimits } from '../workbook/limits.js';
import { readWorkbook } from '../workbook/read-workbook.js';
import { importSchemas } from './import-schemas.js';
import { previewImport, type SchemaPreview } from './preview.js';
import { isSameSchema, policySchemas, type PolicySchema, type SheetFinding } from './schema.js';

/** An operation as `engine.editing.edit` takes it. */
export type SchemaEdit =
  | { readonly op: 'addEntry'; readonly list: 'schemas'; readonly value: PolicySchema }
  | { readonly op: 'setEntry'; readonly list: 'schemas'; readonly entry: string; readonly value: PolicySchema };

export interface ImportPlan {
  readonly schemas: readonly SchemaPreview[];
  readonly findings: readonly SheetFinding[];
  /** None if nothing changes. */
  readonly operations: readonly SchemaEdit[];
}

export interface PlanOptions {
  readonly limits?: Partial<WorkbookLimits>;
}

/**
 * `current` are the schemas of the definition. A sheet that nobody edited changes nothing, also where the schema was changed
 * since the export. A schema without a sheet stays. The same workbook on the same schemas gives the same plan: a new schema
 * has the IRI of the one with its name, or else one made from its name.
 *
 * @throws WorkbookError
 */
export function planImport(bytes: Uint8Array, current: readonly unknown[], { limits }: PlanOptions = {}): ImportPlan {
  const before = policySchemas(current);
  const { schemas, findings, unedited } = importSchemas(readWorkbook(bytes, limits), { newIri: irisByName(before) });
  const schemaByIri = new Map(before.map((schema) => [schema.iri, schema]));
  const meant = schemas.map((schema) => (unedited.has(schema.iri) ? (schemaByIri.get(schema.iri) ?? schema) : schema));
  return { ...planOf(before, meant), findings: [...findings, ...emptiness(schemas)] };
}

/**
 * The same for schemas that are whole, such as published ones: each replaces the one with its IRI, or is added. What is no schema is left
 * out.
 *
 * @example const { operations } = planSchemas([published], definition.schemas);
 */
export const planSchemas = (schemas: readonly unknown[], current: readonly unknown[]): ImportPlan => ({
  ...planOf(policySchemas(current), policySchemas(schemas)),
  findings: [],
});

function planOf(before: readonly PolicySchema[], meant: readonly PolicySchema[]): Omit<ImportPlan, 'findings'> {
  const schemaByIri = new Map(before.map((schema) => [schema.iri, schema]));
  const operations = meant.flatMap((value): SchemaEdit[] => {
    const earlier = schemaByIri.get(value.iri);
    if (earlier === undefined) return [{ op: 'addEntry', list: 'schemas', value }];
    if (isSameSchema(earlier, value)) return [];
    return [{ op: 'setEntry', list: 'schemas', entry: value.iri, value }];
  });
  return { schemas: previewImport(before, meant), operations };
}

const emptiness = (schemas: readonly PolicySchema[]): SheetFinding[] => {
  if (schemas.length > 0) return [];
  const message = 'The workbook has no sheet of a schema: none has the column "Field Type".';
  return [{ severity: 'error', code: 'COLUMN_MISSING', sheet: '', message }];
};

/** First those of that name that there are, then ones made from the name. */
function irisByName(schemas: readonly PolicySchema[]): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const named = schemas.filter((schema) => schema.name === name);
    return named[count]?.iri ?? `#${uuidFrom(`${name}\n${String(count)}`)}`;
  };
}

/** In the form of version 8 (RFC 9562, section 5.8). */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
