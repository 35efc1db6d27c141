/** The document that a new version replaces, as passed along by an editing form. */
import type { DocumentInput, DocumentRecord, Json, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

const carriedReplacement = z.object({ replaces: z.object({ id: z.string() }) });

export async function replacedDocument(ctx: RunContext, carried: Json): Promise<DocumentRecord | undefined> {
  const parsed = carriedReplacement.safeParse(carried);
  return parsed.success ? ctx.documents.get(parsed.data.replaces.id) : undefined;
}

/** Only a document of the same schema is the next version. Others are separate documents. */
export const linked = (document: DocumentInput, replaced: DocumentRecord | undefined): DocumentInput =>
  replaced === undefined || document.schema !== replaced.schema || document.hash === replaced.hash
    ? document
    : { ...document, previousVersion: replaced.id };

/** Marks it as replaced: sources that hide previous versions omit it, and it can no longer be edited. */
export async function markReplaced(ctx: RunContext, { id }: DocumentRecord): Promise<void> {
  const now = await ctx.documents.get(id);
  if (now !== undefined && now.edited !== true) await ctx.documents.update({ ...now, edited: true });
}
