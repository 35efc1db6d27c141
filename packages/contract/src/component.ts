/** Names for schemas that documents refer to instead of repeating them. */
import { z } from 'zod';

/** The name of a schema among the components of the OpenAPI document. */
export const components = z.registry<{ readonly id: string }>();

/** Names a schema and returns it. */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id });
  return schema;
}
