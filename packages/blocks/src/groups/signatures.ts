/** The signatures of a group on one document, bundled into a presentation for everybody to verify. */
import type { DocumentRecord, JsonObject, RunContext } from '@blockwork/core/block';
import { publishAndStore } from '../common/publish-and-store.js';

/** Signed by the policy's owner, published and stored, as belonging to whoever the document belongs to. */
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
