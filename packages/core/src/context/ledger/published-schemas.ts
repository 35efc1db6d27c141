/** The schemas of a policy as they are published on an external ledger. */
import type { PublishedSchema } from '../../ports/index.js';
import { isObject, type JsonObject, type SchemaRecord } from '../../records/index.js';
import { contextOf } from '../linked-hash.js';

/** A schema with a document; others cannot be published. */
type Readable = SchemaRecord & { readonly document: JsonObject };

/** Each after those that it uses, as far as they do not use each other in a circle. Those without a document are left out. */
export const schemasInOrder = (schemas: readonly SchemaRecord[]): Readable[] =>
  inOrderOfUse(
    schemas.filter((schema): schema is Readable => schema.document !== null),
    ({ id }) => id,
    usedIn,
  );

/** Each after those that it names, as far as they do not name each other in a circle. */
export function inOrderOfUse<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  usedBy: (item: Item) => readonly string[],
): Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const ordered = new Set<Item>();
  const begun = new Set<string>();
  const stack = items.toReversed();
  for (let item = stack.at(-1); item !== undefined; item = stack.at(-1)) {
    const key = keyOf(item);
    const missing = begun.has(key) ? [] : usedBy(item).flatMap((used) => byKey.get(used) ?? []);
    begun.add(key);
    const next = missing.filter((each) => !begun.has(keyOf(each)));
    if (next.length > 0) stack.push(...next);
    else ordered.add(stack.pop() ?? item);
  }
  return [...ordered];
}

/** The IRIs of the schemas that the document carries, besides itself. */
export function usedIn({ id, document }: SchemaRecord): string[] {
  const definitions = document?.['$defs'];
  return isObject(definitions) ? Object.keys(definitions).filter((iri) => iri !== id) : [];
}

/** What the message says of the schema. */
export function schemaFacts({ id, name, entity, source }: SchemaRecord): JsonObject {
  const [own = '', version = ''] = id.replace(/^#/, '').split('&');
  const text = (member: string): string => (typeof source[member] === 'string' ? source[member] : '');
  return {
    iri: id,
    name,
    description: text('description'),
    entity,
    uuid: text('uuid') || own,
    version: text('version') || version,
    codeVersion: text('codeVersion'),
    isSystem: source['system'] === true,
  };
}

/** What is published. `undefined` if it has no document. */
export function publishedSchema(schema: SchemaRecord): PublishedSchema | undefined {
  const { id, document, source } = schema;
  if (document === null) return undefined;
  const { contextURL } = source;
  const address = typeof contextURL === 'string' && contextURL !== '' ? contextURL : `schema:${id.replace(/^#/, '')}`;
  const [published] = address.startsWith('schema:') ? [] : [contextOf(schema)].flat();
  return { document, address, context: published?.document ?? null };
}
