/** What an import changes, field by field, before anything is stored. */
import { isObject, writtenMembers } from '@blockwork/contract/schema-model';
import { isSameSchema, type PolicySchema } from './schema.js';

export interface SchemaPreview {
  readonly iri: string;
  readonly name: string;
  readonly change: 'added' | 'changed' | 'same';
  /** Keys of fields. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Of each schema of the import; schemas that the workbook does not have stay as they are. */
export function previewImport(current: readonly PolicySchema[], imported: readonly PolicySchema[]): SchemaPreview[] {
  const before = new Map(current.map((schema) => [schema.iri, schema]));
  return imported.map((schema) => {
    const earlier = before.get(schema.iri);
    const [then, now] = [fieldsOf(earlier), fieldsOf(schema)];
    return {
      iri: schema.iri,
      name: schema.name ?? schema.iri,
      change: earlier === undefined ? 'added' : isSameSchema(earlier, schema) ? 'same' : 'changed',
      added: [...now.keys()].filter((key) => !then.has(key)),
      removed: [...then.keys()].filter((key) => !now.has(key)),
      changed: [...now].filter(([key, text]) => then.has(key) && then.get(key) !== text).map(([key]) => key),
    };
  });
}

function fieldsOf(schema: PolicySchema | undefined): Map<string, string> {
  const { properties, required } = schema?.document ?? {};
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isObject(properties) ? properties : {}).filter(
    ([key]) => !writtenMembers.includes(key),
  );
  return new Map(fields.map(([key, property]) => [key, JSON.stringify([property, needed.includes(key)])]));
}
