/** The signatures of a group on one document, bundled into a presentation that anyone can verify. */
import type { DocumentRecord, JsonObject, RunContext } from '@blockwork/core/block';
import { publishAndStore } from '../common/publish-and-store.js';

/** Signed by the policy's owner, published, and stored for the owner of the document. */
export async function publishSignatures(
  ctx: RunContext,
  { owner, group, messageId }: DocumentRecord,
  credentials: readonly JsonObject[],
): Promise<DocumentRecord> {
  return publishAndStore(ctx, {
    dataType: 'vp-documents',
    type: 'MULTI_SIGN',
    owner,
    ...(group === undefined ? {} : { group }),
    document: await ctx.credentials.present(ctx.policy.owner, credentials),
    relationships: typeof messageId === 'string' ? [messageId] : [],
  });
}
