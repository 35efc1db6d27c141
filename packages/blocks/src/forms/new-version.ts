/** Editing forms: the submitted data becomes the next version of a document. */
import type { DocumentInput, DocumentRecord, Json, ReadContext } from '@blockwork/core/block';
import { refuseReference, type Reference } from './reference.js';

/**
 * The document to edit: the user's own, or one that the form offers them; seeing it elsewhere is not enough. Fails with
 * `DOCUMENT_REFUSED` if it has already been replaced.
 */
export async function versionedDocument(ctx: ReadContext, reference: Reference | null): Promise<DocumentRecord> {
  if (reference === null) return refuseReference(ctx);
  const { document } = reference;
  const isOwn = document.owner === ctx.user.did;
  if (!isOwn && (await ctx.offered(document.id)) === undefined) return refuseReference(ctx);
  if (document.edited !== true) return document;
  const why = 'a newer version has replaced it';
  return ctx.fail('DOCUMENT_REFUSED', {
    facts: { what: 'Outdated version', which: 'the document that is referred to', why },
  });
}

/** Keeps the owner of the previous version, regardless of the editor, and records the first version. */
export function asNewVersion(made: DocumentInput, before: DocumentRecord): DocumentInput {
  const { owner, group, assignedTo, assignedToGroup, startMessageId, messageId } = before;
  const start = startMessageId ?? messageId;
  return {
    ...made,
    owner,
    ...(group !== undefined && { group }),
    ...(assignedTo !== undefined && { assignedTo }),
    ...(assignedToGroup !== undefined && { assignedToGroup }),
    ...(start !== undefined && start !== null && { startMessageId: start }),
  };
}

/** Passed along until a block stores the new version: the document that it replaces. */
export const replacing = ({ id, schema }: DocumentRecord): Json => ({ replaces: { id, schema: schema ?? null } });
