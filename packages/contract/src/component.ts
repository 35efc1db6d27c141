/** Named schemas, which OpenAPI documents reference instead of repeating. */
import { z } from 'zod';

export interface ComponentFacts {
  /** The name among the components of the OpenAPI document. */
  readonly id: string;
  readonly examples?: readonly unknown[];
}

export const components = z.registry<ComponentFacts>();

/** Names a schema and returns it. Every example must satisfy it. */
export function component<Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  ...examples: readonly z.input<Schema>[]
): Schema {
  components.add(schema, { id, ...(examples.length === 0 ? {} : { examples }) });
  return schema;
}
