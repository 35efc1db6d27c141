/** Changes in the fields of schemas. */
import type { SchemaRecord } from '../records/index.js';
import { withSchemaNames } from './named-schemas.js';

/** Schemas are matched by id, or by name, since publishing a policy gives its schemas new ids. */
export function schemaChanges(before: readonly SchemaRecord[], after: readonly SchemaRecord[]): PolicyChange[] {
  const ids = new Set(after.map(({ id }) => id));
  const names = new Map(
    after.filter(({ id }) => !before.some((old) => old.id === id)).map(({ id, name }) => [name, id]),
  );
  const keyOf = (schema: SchemaRecord): string =>
    ids.has(schema.id) ? schema.id : (names.get(schema.name) ?? schema.id);
  const { added, removed, pairs } = compareBy(before, after, keyOf);
  return [
    ...added.map(({ name }) => ({ area: 'schema', name, change: 'is new' }) as const),
    ...removed.map(({ name }) => ({ area: 'schema', name, change: 'is gone' }) as const),
    ...pairs.flatMap(([old, now]) => fieldChanges(named(old, before), named(now, after))),
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
  const { added, removed, pairs } = compareBy(fieldsOf(before), fieldsOf(after), ({ name }) => name);
  const change = (text: string): PolicyChange => ({ area: 'schema', name: after.name, change: text });
  return [
    ...(before.name === after.name ? [] : [change(`was called "${before.name}"`)]),
    ...added.map(({ name, facts }) => change(`new field "${name}" ${titleOf(facts)}`.trimEnd())),
    ...removed.map(({ name, facts }) => change(`field "${name}" ${titleOf(facts)}`.trimEnd() + ' is gone')),
    ...pairs.flatMap(([old, now]) =>
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

/** One difference between two policies, as text. */

export interface PolicyChange {
  readonly area: 'policy' | 'role' | 'token' | 'schema' | 'block' | 'event' | 'file';
  /** The role, token, schema or file, or the tag of the block, that changed. */
  readonly name: string;
  /** One sentence. */
  readonly change: string;
}

/** Comparing lists and objects by name. */

interface ListChange<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly pairs: readonly (readonly [before: T, after: T])[];
}

export function compareBy<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): ListChange<T> {
  const [old, now] = [
    new Map(before.map((item) => [keyOf(item), item])),
    new Map(after.map((item) => [keyOf(item), item])),
  ];
  const pairs: [T, T][] = [];
  for (const [key, item] of old) {
    const other = now.get(key);
    if (other !== undefined) pairs.push([item, other]);
  }
  return {
    added: [...now].filter(([key]) => !old.has(key)).map(([, item]) => item),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, item]) => item),
    pairs,
  };
}

export const compareNames = (before: readonly string[], after: readonly string[]): ListChange<string> =>
  compareBy(before, after, (name) => name);

/** The members that differ, as text: `rule: "a" -> "b"`. */
export function changedMembers(before: object, after: object, ignored: readonly string[] = []): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !ignored.includes(name)).sort();
  return names
    .filter((name) => canonical(old.get(name)) !== canonical(now.get(name)))
    .map((name) => `${name}: ${shown(old.get(name))} -> ${shown(now.get(name))}`);
}

/** Canonical text: equal for equal values, regardless of member order. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
