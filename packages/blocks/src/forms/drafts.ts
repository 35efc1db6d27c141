/** Drafts of forms: incomplete, unsigned documents that belong to the user who fills them in. */
import {
  isoNow,
  type DocumentInput,
  type DocumentRecord,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';

export const DRAFT = 'DraftEvent';

/**
 * The draft as a document: shaped as a credential, so that forms can be filled from it, but without a proof. Each saved
 * draft keeps its id and date, and so its hash, and replaces the previous one.
 */
export function draftDocument(
  ctx: RunContext,
  subject: JsonObject,
  about: Partial<DocumentInput>,
  before?: DocumentRecord,
): DocumentInput {
  const { did: owner, group } = ctx.user;
  const { id = `urn:uuid:${ctx.ids.uuid()}`, issuanceDate = isoNow(ctx.clock) } = before?.document ?? {};
  const type = ['VerifiableCredential'];
  const document: JsonObject = { id, type, issuer: owner, issuanceDate, credentialSubject: [subject] };
  return { ...credentialDocument(ctx, document, { ...about, owner, group }), signature: 0, draft: true };
}

/** The user's own draft with this id. */
export async function ownDraft(ctx: RunContext, id: string): Promise<DocumentRecord> {
  const draft = await ctx.documents.get(id);
  const isOwn = draft?.draft === true && draft.owner === ctx.user.did && draft.schema !== undefined;
  return draft !== undefined && isOwn ? draft : ctx.fail('DOCUMENT_UNKNOWN', { facts: { documentId: id } });
}
