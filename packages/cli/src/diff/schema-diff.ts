/** What changed in the fields of schemas. */
import type { PolicyFile } from '@blockwork/core';
import type { Change } from './change.js';
import { changedMembers, compareBy } from './compare.js';
import { withSchemaNames } from './named-schemas.js';

type Schema = PolicyFile['schemas'][number];

/** A schema is known by its id, or by its name: publishing a policy gives its schemas new ids. */
export function schemaChanges(before: readonly Schema[], after: readonly Schema[]): Change[] {
  const ids = new Set(after.map(({ id }) => id));
  const names = new Map(
    after.filter(({ id }) => !before.some((old) => old.id === id)).map(({ id, name }) => [name, id]),
  );
  const keyOf = (schema: Schema): string => (ids.has(schema.id) ? schema.id : (names.get(schema.name) ?? schema.id));
  const { added, removed, kept } = compareBy(before, after, keyOf);
  return [
    ...added.map(({ name }) => ({ area: 'schema', name, change: 'is new' }) as const),
    ...removed.map(({ name }) => ({ area: 'schema', name, change: 'is gone' }) as const),
    ...kept.flatMap(([old, now]) => fieldChanges(named(old, before), named(now, after))),
  ];
}

const named = (schema: Schema, schemas: readonly Schema[]): Schema => ({
  ...schema,
  document: withSchemaNames(schema.document, schemas),
});

interface Field {
  readonly name: string;
  readonly facts: object;
}

function fieldChanges(before: Schema, after: Schema): Change[] {
  const { added, removed, kept } = compareBy(fieldsOf(before), fieldsOf(after), ({ name }) => name);
  const change = (text: string): Change => ({ area: 'schema', name: after.name, change: text });
  return [
    ...(before.name === after.name ? [] : [change(`was called "${before.name}"`)]),
    ...added.map(({ name, facts }) => change(`new field "${name}" ${titleOf(facts)}`.trimEnd())),
    ...removed.map(({ name, facts }) => change(`field "${name}" ${titleOf(facts)}`.trimEnd() + ' is gone')),
    ...kept.flatMap(([old, now]) =>
      changedMembers(old.facts, now.facts).map((text) => change(`field "${now.name}": ${text}`)),
    ),
  ];
}

function fieldsOf({ document }: Schema): Field[] {
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
