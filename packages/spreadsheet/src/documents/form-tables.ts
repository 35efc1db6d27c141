/** The columns that a form has in a sheet, from the fields that front ends read. */
import { isObject, type Json, writtenMembers } from '@blockwork/contract/schema-model';

export interface FormColumn {
  /** The keys from the document, or from an entry of a list, down to the field. */
  readonly path: readonly string[];
  readonly title: string;
  /** `json` for what has no other form in one cell. */
  readonly kind: 'text' | 'number' | 'boolean' | 'date' | 'json';
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly choices?: readonly unknown[];
}

/** A sheet: of the form itself, or of a list of nested objects in it. */
export interface FormTable {
  /** Empty for the form. */
  readonly path: readonly string[];
  readonly title: string;
  readonly columns: readonly FormColumn[];
}

/** `schema` as a form answers it: with `fields`. The first table is that of the form. */
export function formTables(schema: unknown): FormTable[] {
  const tables: FormTable[] = [];
  const form = tableOf([], 'Rows', fieldsIn(schema));
  return [form, ...tables];

  function tableOf(path: readonly string[], title: string, fields: readonly Json[]): FormTable {
    return { path, title, columns: fields.flatMap((field) => columnsOf(field, [], [], path.length === 0)) };
  }

  function columnsOf(field: Json, above: readonly string[], titles: readonly string[], isForm: boolean): FormColumn[] {
    const path = [...above, text(field['name'])];
    const named = [...titles, text(field['description']) || text(field['title'])];
    const nested = fieldsIn(field);
    if (field['isRef'] === true && nested.length > 0) {
      if (field['isArray'] !== true) return nested.flatMap((each) => columnsOf(each, path, named, isForm));
      if (isForm) {
        tables.push(tableOf(path, named.join(' · '), nested));
        return [];
      }
    }
    return [columnOf(field, path, named)];
  }
}

function columnOf(field: Json, path: readonly string[], titles: readonly string[]): FormColumn {
  const { enum: choices, unit, isRef, isArray, required } = field;
  const shown = titles.join(' · ');
  return {
    path,
    title: typeof unit === 'string' && unit !== '' ? `${shown} (${unit})` : shown,
    kind: isRef === true ? 'json' : kindOf(field),
    isList: isArray === true,
    isRequired: required === true,
    ...(Array.isArray(choices) && { choices: choices as readonly unknown[] }),
  };
}

function kindOf({ type, format }: Json): FormColumn['kind'] {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  return format === 'date' ? 'date' : 'text';
}

/** Those that people fill in. */
const fieldsIn = (holder: unknown): Json[] => {
  const fields: unknown = isObject(holder) ? holder['fields'] : undefined;
  return (Array.isArray(fields) ? fields : []).filter(
    (field): field is Json =>
      isObject(field) &&
      typeof field['name'] === 'string' &&
      !writtenMembers.includes(field['name']) &&
      field['type'] !== 'null' &&
      ['readOnly', 'hidden', 'autocalculate'].every((fact) => field[fact] !== true),
  );
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
