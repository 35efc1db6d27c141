/** Schemas that nest others: each document holds the definitions of those that it refers to. */
import { isObject, type Json } from './json.js';

export interface NestingSchema {
  readonly iri: string;
  readonly document: Json;
}

/** With the definitions as the schemas are now. A schema that nothing of it concerns stays the same object. */
export function withDefinitions<Schema extends NestingSchema>(schemas: readonly Schema[]): Schema[] {
  const byIri = new Map(schemas.map((schema) => [schema.iri, schema.document]));
  return schemas.map((schema): Schema => {
    const defs: Record<string, unknown> = { ...(isObject(schema.document['$defs']) ? schema.document['$defs'] : {}) };
    const seen = new Set<string>([schema.iri]);
    const changed: string[] = [];
    const visit = (part: Json): void => {
      for (const iri of referencesIn(part)) {
        const nested = byIri.get(iri);
        if (nested === undefined || seen.has(iri)) continue;
        seen.add(iri);
        const { $defs: _, ...plain } = nested;
        if (JSON.stringify(defs[iri]) !== JSON.stringify(plain) && !sameButDefinitions(defs[iri], nested)) {
          defs[iri] = plain;
          changed.push(iri);
        }
        visit(plain);
      }
    };
    visit({ ...schema.document, $defs: undefined });
    return changed.length > 0 ? { ...schema, document: { ...schema.document, $defs: defs } } : schema;
  });
}

/** Published copies differ from the schema itself in more than what people write: those stay as they are. */
const sameButDefinitions = (copy: unknown, nested: Json): boolean =>
  isObject(copy) &&
  ['properties', 'required', 'allOf'].every((word) => JSON.stringify(copy[word]) === JSON.stringify(nested[word]));

/** The IRIs that a schema refers to. */
export function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member;
    else yield* referencesIn(member);
  }
}
