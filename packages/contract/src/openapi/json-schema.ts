/** Schemas of the contract as JSON Schema, with named ones as references into the components. */
import { z } from 'zod';
import { components } from '../component.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects the named schemas that it meets, so that each is described once. */
export class SchemaWriter {
  readonly #named = new Map<string, JsonSchema>();

  /** The schema of what is sent, not of what a parser makes of it. */
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

/** Definitions inside one schema stand among the components of the document, where `renamed` says, under another name. */
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
