/** The credential for a role: issued by the group's owner and published on the ledger. */
import type { PolicyUser } from '../access/index.js';
import type { JsonObject } from '../records/index.js';
import type { RunContext } from '../block-api/index.js';

/** Stores it as a document of type `user-role` (reference, section 7.2) and links it to the membership. */
export async function issueRoleCredential(ctx: RunContext, user: PolicyUser): Promise<void> {
  const membership = (await ctx.memberships.inGroup(user.group ?? '')).find(({ did }) => did === user.did);
  if (membership === undefined) return;
  const { role, groupName, groupLabel, owner } = membership;
  const subject: JsonObject = { id: user.did, type: 'UserRole', role, groupName, groupLabel, policyId: ctx.policy.id };
  // An owner whose key is external cannot sign here, so the policy's owner issues it.
  const issuer = (await ctx.credentials.holdsKeyOf(owner)) ? owner : ctx.policy.owner;
  const document = await ctx.credentials.issue({ issuer, group: user.group, subject });
  const hash = ctx.credentials.hash(document);
  const message = await ctx.ledger.publish({ topic: 'root', type: 'role-document', owner, hash, body: document });
  await ctx.documents.add({
    type: 'user-role',
    owner: user.did,
    group: user.group,
    document,
    hash,
    tag: ctx.block.tag,
    hederaStatus: 'ISSUE',
    signature: 1,
    messageId: message.id,
    topicId: message.topicId,
  });
  await ctx.memberships.prove(membership, message.id);
}
