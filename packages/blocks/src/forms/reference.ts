/** Resolves `ref`, the document that a new one refers to. */
import { allOf, isObject, rowShownBy, type DocumentRecord, type Json, type ReadContext } from '@blockwork/core/block';

export interface Reference {
  readonly document: DocumentRecord;
  /** Whether this user may refer to it. */
  readonly open: boolean;
}

/** Maximum number of documents considered per subject, such as an application and its approved copy. */
const CANDIDATES = 50;

/**
`null` without a reference. Clients post a subject's id, an object with the id of a document or of a subject, or
 * a whole row of a grid; only the id is believed. Fails with "Invalid relationships" where the policy has no such document.
 */
export async function referenceOf(ctx: ReadContext, posted: Json | undefined): Promise<Reference | null> {
  if (posted === undefined || posted === null || posted === '') return null;
  const documents = await candidates(ctx, posted);
  for (const document of documents) if (await isOpen(ctx, document)) return { document, open: true };
  const [first] = documents;
  return first === undefined ? refuseReference(ctx) : { document: first, open: false };
}

export function refuseReference(ctx: ReadContext): never {
  return ctx.fail('REFERENCE_UNKNOWN', {
    details: [{ path: '/ref', message: 'names no document that is open to this user' }],
  });
}

async function candidates(ctx: ReadContext, posted: Json): Promise<DocumentRecord[]> {
  if (typeof posted === 'string') return ofSubject(ctx, posted);
  if (!isObject(posted)) return [];
  if (typeof posted.id === 'string') {
    const document = await ctx.documents.get(posted.id);
    return document === undefined ? ofSubject(ctx, posted.id) : [document];
  }
  const subject = isObject(posted.document) ? posted.document.credentialSubject : undefined;
  const first: unknown = Array.isArray(subject) ? subject[0] : subject;
  return isObject(first) && typeof first.id === 'string' ? ofSubject(ctx, first.id) : [];
}

function ofSubject(ctx: ReadContext, subjectId: string): Promise<DocumentRecord[]> {
  const where = allOf(
    { path: 'dataType', op: 'eq', value: 'vc-documents' },
    { path: 'document.credentialSubject.0.id', op: 'eq', value: subjectId },
  );
  return ctx.documents.find(where, { limit: CANDIDATES });
}

/**
 * A user may refer to documents that are theirs, their group's or assigned to them, and to those offered by the block itself
 * or shown by any grid of the policy that is open to them. Knowing an id is not enough.
 */
async function isOpen(ctx: ReadContext, document: DocumentRecord): Promise<boolean> {
  const { did, group } = ctx.user;
  if (document.owner === did || document.assignedTo === did) return true;
  if (group !== null && (document.group === group || document.assignedToGroup === group)) return true;
  return (await ctx.offered(document.id)) !== undefined || (await isShown(ctx, document.id));
}

async function isShown(ctx: ReadContext, documentId: string): Promise<boolean> {
  for (const block of ctx.policy.blocks) {
    if (block.definition?.kind !== 'interface') continue;
    if ((await rowShownBy(ctx, block, documentId)) !== undefined) return true;
  }
  return false;
}
