/** Subjects that say which schema they are of: their `type` and `@context` are the server's to write, at every level. */
import { isObject, type Json, type JsonObject, type SchemaRecord } from '@blockwork/core/block';
import { definitionsIn, resolved } from './schema-definitions.js';
import { commentOf, propertiesOf, takesField } from './schema-fields.js';

const LEVELS = 20;

/** The schema's IRI as the `type` of a subject has it. */
export const typeOf = (iri: string): string => iri.replace(/^#/, '');

/** Where the words of a schema are defined. A schema that was never published has no address for that. */
export function contextOf({ id, source }: SchemaRecord): string {
  const { contextURL } = source;
  return typeof contextURL === 'string' && contextURL !== '' ? contextURL : `schema:${typeOf(id)}`;
}

/** The subject with the `type` and `@context` of the schema, and so every object in it that has a schema of its own. */
export function namedSubject(schema: SchemaRecord & { document: JsonObject }, subject: JsonObject): JsonObject {
  const definitions = definitionsIn(schema.document);
  const context = contextOf(schema);
  const below = (property: unknown, value: Json, level: number): Json => {
    if (Array.isArray(value)) {
      const items = isObject(property) ? property.items : undefined;
      return items === undefined ? value : value.map((item) => below(items, item, level));
    }
    const inner = resolved(property, definitions);
    if (!isObject(value) || inner === undefined || level > LEVELS) return value;
    const object = within(inner, value, level + 1);
    const { $id } = inner;
    if (typeof $id !== 'string') return object;
    return {
      ...object,
      ...(takesField(inner, 'type') && { type: typeOf($id) }),
      ...(takesField(inner, '@context') && { '@context': [addressIn(inner) || context] }),
    };
  };
  const within = (inner: Record<string, unknown>, value: JsonObject, level: number): JsonObject => {
    const properties = propertiesOf(inner);
    const members = Object.entries(value).map(([name, member]): [string, Json] => [
      name,
      Object.hasOwn(properties, name) ? below(properties[name], member, level) : member,
    ]);
    return Object.fromEntries(members);
  };
  return { ...within(schema.document, subject, 0), type: typeOf(schema.id), '@context': [context] };
}

/** A definition's comment says `{"@id": "<address>#<id>"}`; before publishing there is only the id. */
function addressIn(definition: Record<string, unknown>): string {
  const id = commentOf(definition)['@id'];
  return typeof id === 'string' ? id.slice(0, Math.max(0, id.indexOf('#'))) : '';
}
