/** The document that a new version replaces: what a form that edits has sent along. */
import type { DocumentInput, DocumentRecord, Json, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

const carriedReplacement = z.object({ replaces: z.object({ id: z.string() }) });

export async function replacedDocument(ctx: RunContext, carried: Json): Promise<DocumentRecord | undefined> {
  const parsed = carriedReplacement.safeParse(carried);
  return parsed.success ? ctx.documents.get(parsed.data.replaces.id) : undefined;
}

/** A document of the same schema is the next version. Others were made on the way, and are documents of their own. */
export const linked = (document: DocumentInput, replaced: DocumentRecord | undefined): DocumentInput =>
  replaced === undefined || document.schema !== replaced.schema || document.hash === replaced.hash
    ? document
    : { ...document, previousVersion: replaced.id };

/** Sources that hide previous versions leave it out from now on, and it cannot be edited again. */
export async function markReplaced(ctx: RunContext, { id }: DocumentRecord): Promise<void> {
  const now = await ctx.documents.get(id);
  if (now !== undefined && now.edited !== true) await ctx.documents.update({ ...now, edited: true });
}
