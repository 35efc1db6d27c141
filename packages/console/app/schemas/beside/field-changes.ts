/** What differs between two versions of a schema, by the questions of its fields. */
import type { SchemaField, SchemaModel } from '@blockwork/contract/schema-model';

export interface FieldChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly hasOtherRules: boolean;
}

export function fieldChanges(before: SchemaModel, after: SchemaModel): FieldChanges {
  const [old, now] = [before, after].map(({ fields }) => new Map(fields.map((field) => [field.key, field])));
  const nameOf = ({ key, question }: SchemaField): string => `${question} (${key})`;
  const rules = ({ rules: all }: SchemaModel): string =>
    JSON.stringify(all.map((rule) => (rule.kind === 'kept' ? rule : { ...rule, source: null })));
  return {
    added: after.fields.filter(({ key }) => old?.has(key) !== true).map(nameOf),
    removed: before.fields.filter(({ key }) => now?.has(key) !== true).map(nameOf),
    changed: after.fields.filter((field) => isOther(old?.get(field.key), field)).map(nameOf),
    hasOtherRules: rules(before) !== rules(after),
  };
}

function isOther(before: SchemaField | undefined, after: SchemaField): boolean {
  if (before === undefined) return false;
  const facts = ({ source: _, ...field }: SchemaField): string => JSON.stringify(field);
  return facts(before) !== facts(after);
}
