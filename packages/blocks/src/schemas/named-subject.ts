/** Subjects with the name of their schema: the server writes `type` and `@context` at every level. */
import { isObject, type Json, type JsonObject, type SchemaRecord } from '@blockwork/core/block';
import { commentOf, definitionsIn, propertiesOf, resolved, takesField } from './schema-fields.js';

const LEVELS = 20;

/** The `type` of a subject for the schema with this IRI. */
export const typeOf = (iri: string): string => iri.replace(/^#/, '');

/** Address of the schema's JSON-LD context. A schema that was never published has none; its type stands in. */
export function contextOf({ id, source }: SchemaRecord): string {
  const { contextURL } = source;
  return typeof contextURL === 'string' && contextURL !== '' ? contextURL : `schema:${typeOf(id)}`;
}

/** Adds `type` and `@context` to the subject, and to each nested object that has its own schema. */
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
    const { $id, oneOf } = inner;
    // An object of one of several kinds, such as GeoJSON, says itself which kind it is.
    if (typeof $id !== 'string' || Array.isArray(oneOf)) return object;
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

/** A definition's comment is `{"@id": "<address>#<id>"}`; before publishing it has only the id. */
function addressIn(definition: Record<string, unknown>): string {
  const id = commentOf(definition)['@id'];
  return typeof id === 'string' ? id.slice(0, Math.max(0, id.indexOf('#'))) : '';
}
