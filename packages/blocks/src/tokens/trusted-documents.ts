/** Source documents of tokens: proofs verified, each counted once. */
import { documentsIn, type DocumentInput, type Json, type RunContext } from '@blockwork/core/block';
import { credentialsIn } from '../common/subject.js';

/** As stored documents say it: the proof was looked at and does not hold. */
const INVALID = 2;

export type SomeDocuments = readonly [DocumentInput, ...DocumentInput[]];

/** Throws `DOCUMENT_MISSING`, or `CREDENTIAL_INVALID` where a proof does not hold. */
export async function trustedDocuments(ctx: RunContext, data: Json): Promise<SomeDocuments> {
  const [first, ...others] = documentsIn(data);
  if (first === undefined) return ctx.fail('DOCUMENT_MISSING');
  const documents: SomeDocuments = [first, ...others];
  await demandProofs(ctx, documents);
  return documents;
}

export async function demandProofs(ctx: RunContext, documents: readonly DocumentInput[]): Promise<void> {
  for (const { document, signature } of documents) {
    await ctx.budget.giveWay();
    const { verified, reason } = await ctx.credentials.verifyStored(document);
    if (verified && signature !== INVALID) continue;
    const why = verified ? 'it was found invalid before' : reason;
    ctx.fail('CREDENTIAL_INVALID', { facts: { reason: `Invalid VC proof, ${why}` } });
  }
}

/**
 * A credential counts once per block: a second click, or a repeated event, mints nothing. Credentials reissued from it, such
 * as the pieces of a split, count separately. Throws `CREDENTIAL_USED`.
 */
export async function useUp(ctx: RunContext, documents: readonly DocumentInput[]): Promise<void> {
  for (const credential of documents.flatMap(({ document }) => credentialsIn(document))) {
    await ctx.budget.giveWay();
    const id = typeof credential.id === 'string' ? credential.id : ctx.credentials.hash(credential);
    if ((await ctx.entries.get(id)) !== undefined) ctx.fail('CREDENTIAL_USED', { facts: { credential: id } });
    await ctx.entries.put({ id, key: 'used', value: true });
  }
}
