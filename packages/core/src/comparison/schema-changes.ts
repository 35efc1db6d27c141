/** Changes in the fields of schemas. */
import type { SchemaRecord } from '../records/index.js';
import { changedMembers, compareBy } from './list-change.js';
import { withSchemaNames } from './named-schemas.js';
import type { PolicyChange } from './policy-change.js';

/** Schemas are matched by id, or by name, since publishing a policy gives its schemas new ids. */
export function schemaChanges(before: readonly SchemaRecord[], after: readonly SchemaRecord[]): PolicyChange[] {
  const ids = new Set(after.map(({ id }) => id));
  const names = new Map(
    after.filter(({ id }) => !before.some((old) => old.id === id)).map(({ id, name }) => [name, id]),
  );
  const keyOf = (schema: SchemaRecord): string =>
    ids.has(schema.id) ? schema.id : (names.get(schema.name) ?? schema.id);
  const { added, removed, kept } = compareBy(before, after, keyOf);
  return [
    ...added.map(({ name }) => ({ area: 'schema', name, change: 'is new' }) as const),
    ...removed.map(({ name }) => ({ area: 'schema', name, change: 'is gone' }) as const),
    ...kept.flatMap(([old, now]) => fieldChanges(named(old, before), named(now, after))),
  ];
}

const named = (schema: SchemaRecord, schemas: readonly SchemaRecord[]): SchemaRecord => ({
  ...schema,
  document: withSchemaNames(schema.document, schemas),
});

interface Field {
  readonly name: string;
  readonly facts: object;
}

function fieldChanges(before: SchemaRecord, after: SchemaRecord): PolicyChange[] {
  const { added, removed, kept } = compareBy(fieldsOf(before), fieldsOf(after), ({ name }) => name);
  const change = (text: string): PolicyChange => ({ area: 'schema', name: after.name, change: text });
  return [
    ...(before.name === after.name ? [] : [change(`was called "${before.name}"`)]),
    ...added.map(({ name, facts }) => change(`new field "${name}" ${titleOf(facts)}`.trimEnd())),
    ...removed.map(({ name, facts }) => change(`field "${name}" ${titleOf(facts)}`.trimEnd() + ' is gone')),
    ...kept.flatMap(([old, now]) =>
      changedMembers(old.facts, now.facts).map((text) => change(`field "${now.name}": ${text}`)),
    ),
  ];
}

function fieldsOf({ document }: SchemaRecord): Field[] {
  const properties = objectOf(document?.['properties']);
  const required: unknown[] = Array.isArray(document?.['required']) ? document['required'] : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    // The comment holds positions and the schema's own address.
    facts: { ...objectOf(property), $comment: undefined, $id: undefined, required: required.includes(name) },
  }));
}

const titleOf = (facts: object): string => ('title' in facts ? `(${String(facts.title)})` : '');

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
