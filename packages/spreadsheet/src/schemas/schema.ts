/** What this package reads and writes: schemas of policies, findings by cell, and the titles of the workbook. */

import { isObject, type Json } from '@blockwork/contract/schema-model';

/** A schema as policies list it. Other members than these are kept. */
export interface PolicySchema {
  readonly iri: string;
  readonly name?: string;
  readonly description?: string;
  /** `NONE` for schemas that only others contain, `VC`, or `EVC`. */
  readonly entity?: string;
  readonly document: Json;
  readonly [fact: string]: unknown;
}

export type SheetFindingCode =
  | 'COLUMN_MISSING'
  | 'COLUMN_UNKNOWN'
  | 'CONDITION_INVALID'
  | 'FIELD_DUPLICATE'
  | 'FORMULA_DIFFERS'
  | 'FORMULA_INVALID'
  | 'GROUP_INVALID'
  | 'KEY_INVALID'
  | 'LIST_UNKNOWN'
  | 'NAME_MISSING'
  | 'PARAMETER_INVALID'
  | 'ROW_UNKNOWN'
  | 'SCHEMA_DUPLICATE'
  | 'SHEET_IGNORED'
  | 'TYPE_UNKNOWN';

export interface SheetFinding {
  readonly severity: 'error' | 'warning';
  readonly code: SheetFindingCode;
  readonly sheet: string;
  /** Such as `D7`. */
  readonly cell?: string;
  readonly message: string;
}

export const titles = [
  'Required Field',
  'Field Type',
  'Parameter',
  'Visibility',
  'Question',
  'Allow Multiple Answers',
  'Answer',
  'Default',
  'Suggest',
  'Key',
] as const;

export type Title = (typeof titles)[number];

/** Later names of columns, which are read as well. */
export const laterTitles: Readonly<Record<string, Title>> = {
  'Test Value': 'Answer',
  'Default Value': 'Default',
  'Suggest Value': 'Suggest',
};

export const neededTitles: readonly Title[] = [
  'Required Field',
  'Field Type',
  'Parameter',
  'Question',
  'Allow Multiple Answers',
  'Answer',
];

export const ENUMS = 'Enums';
/** A hidden sheet with the schemas as they were exported, for what has no column. */
export const ORIGINALS = '_blockwork';

/** In whatever order its facts are told; within the document, the order of fields is that of the form. */
export const isSameSchema = (one: PolicySchema | undefined, other: PolicySchema | undefined): boolean =>
  factsIn(one) === factsIn(other);

const factsIn = (schema: PolicySchema | undefined): string =>
  JSON.stringify(Object.entries(schema ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Those of a definition that a workbook can hold: with a document, and an IRI there or beside it. */
export const policySchemas = (entries: readonly unknown[]): PolicySchema[] =>
  entries.flatMap((entry) => {
    if (!isObject(entry) || !isObject(entry['document'])) return [];
    const { document, iri = document['$id'] } = entry;
    return typeof iri === 'string' ? [{ ...entry, iri, document }] : [];
  });
