/** Publishes a document made by a block in the policy's topic, and stores it. */
import type { DocumentInput, DocumentRecord, RunContext } from '@blockwork/core/block';
import { kindOf, signerOf } from './document-kind.js';

/** On behalf of the policy's owner. `relationships` are the messages that it references. */
export async function publishAndStore(
  ctx: RunContext,
  document: DocumentInput & { readonly relationships: string[] },
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
  return ctx.documents.add({
    ...document,
    hash,
    tag: ctx.block.tag,
    hederaStatus: 'ISSUE',
    signature: 1,
    messageId: message.id,
    topicId: message.topicId,
  });
}
