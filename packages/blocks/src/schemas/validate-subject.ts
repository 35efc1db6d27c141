/** Validates the subject of a credential against a schema of its policy. */
import type { ErrorDetail, JsonObject, ReadContext, SchemaRecord } from '@blockwork/core/block';
import { takesField } from './schema-fields.js';
import { SchemaUnusable } from './schema-unusable.js';
import { failuresOf } from './validators.js';

/** A schema that can be used. */
export type UsableSchema = SchemaRecord & { document: JsonObject };

/** The policy's schema with this IRI. Fails with `BLOCK_MISCONFIGURED` where it is missing or cannot be read. */
export async function schemaOf(ctx: ReadContext, iri: string): Promise<UsableSchema> {
  const schema = await ctx.definitions.schema(iri);
  if (schema === undefined) {
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the policy has no schema "${iri}"` } });
  }
  const { document } = schema;
  if (document === null) {
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the schema "${iri}" cannot be read` } });
  }
  return { ...schema, document };
}

/**
 * Fails with `INPUT_INVALID` and every violation. Its JSON pointers begin with `where`, the place of the subject in the
 * input, for instance `/document`; `places` maps those of members that came from elsewhere.
 */
export function demandValid(
  ctx: ReadContext,
  schema: UsableSchema,
  subject: JsonObject,
  where: string,
  places: Readonly<Record<string, string>> = {},
): void {
  const failures = failuresIn(ctx, schema, withoutNames(schema, subject), where);
  if (failures.length === 0) return;
  const details = failures.map(({ path, message }) => ({ path: places[path] ?? path, message }));
  const listed = details.slice(0, 10).map(({ path, message }) => `${path || 'the subject'} ${message}`);
  const more = details.length > listed.length ? `; and ${String(details.length - listed.length)} more` : '';
  const reason = `Block "${ctx.block.tag}" does not take this data; VALIDATION against the schema "${schema.name.trim()}" says: ${listed.join('; ')}${more}.`;
  ctx.fail('INPUT_INVALID', { facts: { reason }, details });
}

/** Members that the server writes into every subject. A schema without additional properties must not refuse them. */
const serverMembers = ['type', '@context', 'id'];

const withoutNames = ({ document }: UsableSchema, subject: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(subject).filter(([name]) => !serverMembers.includes(name) || takesField(document, name)),
  );

function failuresIn(ctx: ReadContext, schema: UsableSchema, subject: JsonObject, where: string): ErrorDetail[] {
  try {
    return failuresOf(schema.document, subject, where);
  } catch (error) {
    if (!(error instanceof SchemaUnusable)) throw error;
    const reason = `the schema "${schema.id}" cannot be used: ${error.message}`;
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
  }
}
