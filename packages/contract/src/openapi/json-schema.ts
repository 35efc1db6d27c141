/** Converts the contract's schemas to JSON Schema; named ones become references to components. */
import { z } from 'zod';
import { components } from '../component.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects the named schemas it encounters, so that each is described once. */
export class SchemaWriter {
  readonly #named = new Map<string, JsonSchema>();

  /** The schema of the value on the wire, not of the parsed result. */
  write(schema: z.ZodType): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...written
    } = z.toJSONSchema(schema, {
      io: 'input',
      metadata: components,
      override: ({ zodSchema, jsonSchema }) => {
        // A separate registry would replace the one that has the descriptions.
        const { description } = z.globalRegistry.get(zodSchema) ?? {};
        if (description !== undefined) jsonSchema.description = description;
        delete jsonSchema.id;
      },
    });
    for (const [name, named] of Object.entries($defs)) this.#named.set(name, relocated(named) as JsonSchema);
    return relocated(written) as JsonSchema;
  }

  /** All named schemas so far, by name. */
  get named(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Moves definitions inside a schema to the document's components, renamed according to `renamed`. */
export function relocated(value: unknown, renamed: ReadonlyMap<string, string> = new Map()): unknown {
  if (Array.isArray(value)) return value.map((each) => relocated(each, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' ? component(member, renamed) : relocated(member, renamed),
    ]),
  );
}

const INSIDE = '#/$defs/';

function component(reference: string, renamed: ReadonlyMap<string, string>): string {
  if (!reference.startsWith(INSIDE)) return reference;
  const name = reference.slice(INSIDE.length);
  return `#/components/schemas/${renamed.get(name) ?? name}`;
}
