/** A service's response as a credential. */
import type { DocumentInput, JsonObject, RunContext } from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';

/** Signed by the policy's owner. Belongs to the owner of the document that triggered the call. */
export async function answerDocument(
  ctx: RunContext,
  subject: JsonObject,
  documents: readonly DocumentInput[],
): Promise<DocumentInput> {
  const [source] = documents;
  const credential = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject });
  const schema = typeof subject.type === 'string' ? { schema: `#${subject.type}`, type: `#${subject.type}` } : {};
  return credentialDocument(ctx, credential, {
    ...schema,
    owner: source?.owner ?? ctx.user.did,
    group: source === undefined ? ctx.user.group : (source.group ?? null),
    relationships: documents.flatMap(({ messageId }) => messageId ?? []),
  });
}
