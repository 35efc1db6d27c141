/** The id of a new subject: a uuid, a new identity, the user's DID, or none. */
import type { RunContext } from '@blockwork/core/block';

export type IdType = 'UUID' | 'DID' | 'OWNER' | '';

export async function newSubjectId(ctx: RunContext, idType: IdType): Promise<string | undefined> {
  switch (idType) {
    case 'UUID':
      return `urn:uuid:${ctx.ids.uuid()}`;
    case 'DID':
      return newIdentity(ctx);
    case 'OWNER':
      return ctx.user.did;
    case '':
      return undefined;
  }
}

/** A new identity is published on the ledger, and its document stored for the user it was created for. */
async function newIdentity(ctx: RunContext): Promise<string> {
  const { did, document } = await ctx.credentials.createIdentity();
  const { did: owner, group } = ctx.user;
  const message = await ctx.ledger.publish({
    topic: 'root',
    type: 'did-document',
    owner,
    body: { did, document },
    document,
  });
  await ctx.documents.add({
    dataType: 'did-documents',
    owner,
    group,
    document,
    did,
    status: 'CREATE',
    messageId: message.id,
    topicId: message.topicId,
    tag: ctx.block.tag,
  });
  return did;
}
