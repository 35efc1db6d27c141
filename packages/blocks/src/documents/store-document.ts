/** Storing a document: an upsert by credential (reference engine, section 6.4). */
import { allOf } from '@blockwork/core/block';
import type { DocumentCollection, DocumentInput, DocumentRecord, RunContext } from '@blockwork/core/block';

/** A signature changes the hash, so the signed credential is stored as a separate row. */
export async function storeDocument(
  ctx: RunContext,
  document: DocumentInput,
  collection: DocumentCollection,
  how: { readonly inHistory?: boolean } = {},
): Promise<DocumentRecord> {
  const { hash, ...rest } = written(ctx, document);
  const stored = await storedRow(ctx, document, hash, collection);
  if (stored === undefined) return ctx.documents.add({ ...rest, hash, dataType: collection });
  return ctx.documents.update({ ...stored, ...(rest as Partial<DocumentRecord>), hash, dataType: collection }, how);
}

const ofServer = ['id', 'policyId', 'dataType', 'createDate', 'updateDate', '__sourceTag__'];

/** Server-assigned members of a row are not copied from another row. */
function written(ctx: RunContext, document: DocumentInput): DocumentInput & { hash: string } {
  const clientFields = Object.entries(document).filter(([name]) => !ofServer.includes(name));
  const { owner, document: content, hash = ctx.credentials.hash(content) } = document;
  return { ...Object.fromEntries(clientFields), owner, document: content, hash };
}

/** Skips revoked rows. Rows stored without a hash match by id if their content is equal. */
async function storedRow(
  ctx: RunContext,
  { id, document }: DocumentInput,
  hash: string,
  collection: DocumentCollection,
): Promise<DocumentRecord | undefined> {
  const where = allOf(
    collection === 'did-documents'
      ? { path: 'document.id', op: 'eq', value: document.id ?? null }
      : { path: 'hash', op: 'eq', value: hash },
    { path: 'dataType', op: 'eq', value: collection },
    { path: 'hederaStatus', op: 'ne', value: 'REVOKE' },
  );
  const [row] = await ctx.documents.find(where, { limit: 1 });
  if (row !== undefined) return row;
  const existing = id === undefined ? undefined : await ctx.documents.get(id);
  if (existing?.hash !== undefined || existing?.dataType !== collection) return undefined;
  return ctx.credentials.hash(existing.document) === hash ? existing : undefined;
}
