/** The schemas of a policy as they are published on an external ledger. */
import type { PublishedSchema } from '../../ports/index.js';
import { isObject, type JsonObject, type SchemaRecord } from '../../records/index.js';
import { contextOf } from '../linked-hash.js';

/** A schema with a document; others cannot be published. */
type Readable = SchemaRecord & { readonly document: JsonObject };

/** Each after those that it uses, as far as they do not use each other in a circle. Those without a document are left out. */
export function schemasInOrder(schemas: readonly SchemaRecord[]): Readable[] {
  const readable = schemas.filter((schema): schema is Readable => schema.document !== null);
  const byIri = new Map(readable.map((schema) => [schema.id, schema]));
  const ordered = new Set<Readable>();
  const begun = new Set<string>();
  const stack = readable.toReversed();
  for (let schema = stack.at(-1); schema !== undefined; schema = stack.at(-1)) {
    const { id } = schema;
    const missing = begun.has(id) ? [] : usedIn(schema).flatMap((iri) => byIri.get(iri) ?? []);
    begun.add(id);
    const next = missing.filter((each) => !begun.has(each.id));
    if (next.length > 0) stack.push(...next);
    else ordered.add(stack.pop() ?? schema);
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
