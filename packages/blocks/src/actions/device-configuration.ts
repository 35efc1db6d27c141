/** The configuration file of a device that submits measurements; it holds no key (reference engine, section 7.11). */
import { allOf, type DocumentRecord, type Json, type JsonObject, type RunContext } from '@blockwork/core/block';
import { subjectOf } from '../common/subject.js';
import { contextDocument, contextOf, schemaOf, typeOf } from '../schemas/index.js';

/** For the device that the document describes. Keys never leave the engine, so a signing device brings its own. */
export async function deviceConfiguration(
  ctx: RunContext,
  { owner, document, topicId }: DocumentRecord,
  { targetUrl, schema: iri }: { readonly targetUrl: string; readonly schema: string },
): Promise<JsonObject> {
  const schema = await schemaOf(ctx, iri);
  const did = subjectOf(document)?.id ?? null;
  const body = {
    url: targetUrl,
    topic: topicId ?? null,
    hederaAccountId: await ctx.users.account(owner),
    installer: owner,
    did,
    type: typeOf(iri),
    schema: contextDocument(schema.source.context),
    schemaDocument: schema.document,
    context: { type: typeOf(iri), '@context': [contextOf(schema)] },
    didDocument: typeof did === 'string' ? await identityDocument(ctx, did) : null,
    policyId: ctx.policy.id,
    policyTag: ctx.policy.policyTag,
    ref: did,
    note: 'The device signs with a key of its own: none is in this file.',
  };
  return { fileName: `${typeof did === 'string' ? did : (document.id as string)}.config.json`, body };
}

async function identityDocument(ctx: RunContext, did: string): Promise<Json> {
  const where = allOf(
    { path: 'document.id', op: 'eq', value: did },
    { path: 'dataType', op: 'eq', value: 'did-documents' },
  );
  const [row] = await ctx.documents.find(where, { limit: 1 });
  return row?.document ?? null;
}
