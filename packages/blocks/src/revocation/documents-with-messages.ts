/** The stored documents of ledger messages. */
import { allOf, type DocumentCollection, type DocumentRecord, type ReadContext } from '@blockwork/core/block';

const ranks: Readonly<Record<DocumentCollection, number>> = {
  'vc-documents': 0,
  'vp-documents': 1,
  'did-documents': 2,
  approve: 3,
};

/** Of this policy: credentials, then presentations, then identity documents, each in the order of their messages. */
export async function documentsWithMessages(ctx: ReadContext, messages: readonly string[]): Promise<DocumentRecord[]> {
  if (messages.length === 0) return [];
  const found = await ctx.documents.find(
    allOf({ path: 'messageId', op: 'in', value: [...messages] }, { path: 'dataType', op: 'ne', value: 'approve' }),
  );
  return found.sort((a, b) => ranks[a.dataType] - ranks[b.dataType] || compare(a.messageId ?? '', b.messageId ?? ''));
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
