/** The schemas of a draft: as its definition lists them, and the operations that lead from one list to another. */
import { isObject, referencesIn, type Json } from '@blockwork/contract/schema-model';

/** A schema with a document. Other members are kept. */
export interface Entry {
  readonly iri: string;
  readonly document: Json;
  readonly name?: string;
  readonly description?: string;
  readonly entity?: string;
  readonly [fact: string]: unknown;
}

export const entriesOf = (schemas: readonly unknown[]): Entry[] =>
  schemas.flatMap((schema) => {
    if (!isObject(schema) || !isObject(schema['document'])) return [];
    const { document, iri = document['$id'] } = schema;
    return typeof iri === 'string' ? [{ ...schema, iri, document }] : [];
  });

export type SchemaOperation =
  | { readonly op: 'addEntry'; readonly list: 'schemas'; readonly value: Entry }
  | { readonly op: 'setEntry'; readonly list: 'schemas'; readonly entry: string; readonly value: Entry }
  | { readonly op: 'removeEntry'; readonly list: 'schemas'; readonly entry: string };

export function operationsBetween(before: readonly Entry[], after: readonly Entry[]): SchemaOperation[] {
  const old = new Map(before.map((entry) => [entry.iri, entry]));
  const now = new Set(after.map(({ iri }) => iri));
  const removed = before.filter(({ iri }) => !now.has(iri));
  return [
    ...removed.map(({ iri }): SchemaOperation => ({ op: 'removeEntry', list: 'schemas', entry: iri })),
    ...after.flatMap((value): SchemaOperation[] => {
      const earlier = old.get(value.iri);
      if (earlier === undefined) return [{ op: 'addEntry', list: 'schemas', value }];
      const isSame = earlier === value || JSON.stringify(earlier) === JSON.stringify(value);
      return isSame ? [] : [{ op: 'setEntry', list: 'schemas', entry: value.iri, value }];
    }),
  ];
}

export const nameOf = ({ name, iri }: Entry): string => (name === undefined || name === '' ? iri : name);

/** Other schemas that nest the schema. */
export const schemasNesting = (entries: readonly Entry[], iri: string): Entry[] =>
  entries.filter((entry) => entry.iri !== iri && nestedIn(entry).has(iri));

/** What the fields of the schema refer to, not what those refer to in turn. */
export const nestedIn = ({ document }: Entry): ReadonlySet<string> =>
  new Set(referencesIn({ ...document, $defs: undefined }));

export interface UsingBlock {
  readonly id: string;
  readonly tag: string;
}

/** Blocks with an option that names the schema. */
export function blocksUsing(config: unknown, iri: string): UsingBlock[] {
  if (!isObject(config)) return [];
  const { children, ...own } = config;
  const below = Array.isArray(children) ? children.flatMap((child) => blocksUsing(child, iri)) : [];
  if (!names(own, iri)) return below;
  return [{ id: String(config['id']), tag: String(config['tag']) }, ...below];
}

function names(value: unknown, iri: string): boolean {
  if (typeof value === 'string') return value === iri || `#${value}` === iri;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => names(member, iri));
}

/** A key for the field: made of the words of its question, and of no other field. */
export function keyFor(question: string, takenKeys: ReadonlySet<string>): string {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? ['field'];
  const key = words
    .slice(0, 6)
    .map((word, at) => (at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
  let candidate = key;
  for (let count = 2; takenKeys.has(candidate); count += 1) candidate = `${key}${String(count)}`;
  return candidate;
}
