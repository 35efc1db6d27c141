/** The two files of a schema that is published: its JSON Schema and its JSON-LD context. */
import type { JsonObject } from '@blockwork/core';
import type { PublishedSchema } from '@blockwork/core/adapter';
import { cidOf } from '../files/cid.js';
import type { SchemaFacts } from '../forms/policy-form.js';
import { cidIn, publishedContext } from '../forms/schema-context.js';
import type { PlanDeps } from './planned.js';

/** Of the transaction with the message. */
export const SCHEMA_MEMO = 'Schema publishing message';

/** `undefined` without a place for files. */
export async function storedSchema(
  schema: PublishedSchema,
  deps: PlanDeps,
): Promise<Pick<SchemaFacts, 'documentCid' | 'contextCid'> | undefined> {
  const documentCid = await deps.storeFile(jsonFile(schema.document));
  return documentCid === null ? undefined : { documentCid, contextCid: await storedContext(schema, deps) };
}

const jsonFile = (content: JsonObject): Uint8Array => Buffer.from(JSON.stringify(content), 'utf8');

/**
 * The CID of the context. Documents name the one in the address, so that no other is published: it is stored if it is known, and is else where it
 * was published before.
 */
async function storedContext(schema: PublishedSchema, deps: PlanDeps): Promise<string> {
  const content = jsonFile(publishedContext(schema));
  const named = cidIn(schema.address);
  if (named !== undefined && named !== cidOf(content)) return named;
  return (await deps.storeFile(content)) ?? cidOf(content);
}
