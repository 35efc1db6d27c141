/** Publishes a document made by a block in the policy's topic, and stores it. */
import type { DocumentInput, DocumentRecord, RunContext } from '@blockwork/core/block';
import { kindOf, signerOf } from './document-kind.js';

/**
 * On behalf of the policy's owner. `relationships` are the messages that it references. `between` does what names the
 * message, and resolves with what the stored document says in addition.
 */
export async function publishAndStore(
  ctx: RunContext,
  document: DocumentInput & { readonly relationships: string[] },
  between?: (messageId: string) => Promise<Partial<DocumentInput>>,
): Promise<DocumentRecord> {
  const hash = ctx.credentials.hash(document.document);
  const { id = null } = document.document;
  const message = await ctx.ledger.publish({
    topic: 'root',
    type: `${kindOf(document.document)}-document`,
    owner: ctx.policy.owner,
    hash,
    relationships: document.relationships,
    body: { id, issuer: signerOf(document.document) ?? null, type: document.type ?? null },
    document: document.document,
  });
  const also = await between?.(message.id);
  return ctx.documents.add({
    ...document,
    ...also,
    hash,
    tag: ctx.block.tag,
    hederaStatus: 'ISSUE',
    signature: 1,
    messageId: message.id,
    topicId: message.topicId,
  });
}
