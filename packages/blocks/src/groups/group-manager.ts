/** `groupManagerBlock`: the members of a user's groups, invitations and removals (reference engine, section 7.28). */
import {
  defineBlock,
  heading,
  invitationToken,
  type Json,
  type JsonObject,
  MEMBER_REMOVED,
  type Membership,
  type ReadContext,
  REFRESH,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';

/** Any value but `all` means the owner. */
const whoMay = z
  .string()
  .nullish()
  .transform((value): 'all' | 'owner' => (value === 'all' ? 'all' : 'owner'));

const mayDo = (who: 'all' | 'owner', { did, owner }: Membership): boolean => who === 'all' || did === owner;

const options = z.strictObject({
  canInvite: whoMay,
  canDelete: whoMay,
  /** Left by editors; `permissions` say who sees the block. */
  visible: tolerant.unused,
});
type Options = z.infer<typeof options>;

const request = z.union(
  [
    z.object({ action: z.literal('invite'), group: z.string().min(1), role: z.string().min(1) }),
    z.object({
      action: z.literal('delete'),
      group: z.string().min(1),
      /** The member's DID. */
      user: z.string().min(1),
      message: z.string().max(1000).nullish(),
    }),
  ],
  { error: 'must be {action: "invite", group, role} or {action: "delete", group, user, message?}' },
);
type Removal = Extract<z.infer<typeof request>, { action: 'delete' }>;

export const groupManagerBlock = defineBlock({
  type: 'groupManagerBlock',
  title: 'Group',
  description: "Shows the user's groups with their members, invites people and removes members.",
  kind: 'interface',
  pure: true,
  options,
  input: request,

  async read(ctx) {
    const mine = await ctx.memberships.mine();
    const data = await Promise.all(mine.map((membership) => shown(ctx, membership)));
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, data };
  },

  async receive(ctx, input) {
    const mine = (await ctx.memberships.mine()).find(({ uuid }) => uuid === input.group);
    if (mine === undefined) return ctx.fail('MEMBERSHIP_UNKNOWN', { facts: { group: input.group } });
    if (input.action === 'invite') return invite(ctx, mine, input.role);
    await remove(ctx, mine, input);
    return { deleted: true };
  },
});

async function shown(ctx: ReadContext<Options>, mine: Membership): Promise<Json> {
  const members = await ctx.memberships.inGroup(mine.uuid);
  return {
    id: mine.uuid,
    role: mine.role,
    groupName: mine.groupName,
    groupLabel: mine.groupLabel,
    type: standing(mine),
    groupRelationshipType: mine.groupRelationshipType,
    groupAccessType: mine.groupAccessType,
    canInvite: isByInvitation(mine) && mayDo(ctx.options.canInvite, mine),
    canDelete: mayDo(ctx.options.canDelete, mine),
    roles: rolesOf(ctx, mine),
    data: await Promise.all(
      members.map(async (member) => ({
        did: member.did,
        username: await ctx.users.nameOf(member.did),
        role: member.role,
        type: standing(member),
        current: member.did === ctx.user.did,
      })),
    ),
  };
}

const standing = ({ did, owner }: Membership): string => (did === owner ? 'Owner' : 'Member');

/** Global groups are open to all, and a group of one accepts no members. */
const isByInvitation = ({ groupRelationshipType, groupAccessType }: Membership): boolean =>
  groupRelationshipType === 'Multiple' && groupAccessType === 'Private';

/** Roles that the group's template defines for members; `null` if the policy has no such template. */
const rolesOf = ({ policy }: ReadContext<Options>, { groupName }: Membership): string[] | null =>
  policy.groups.find(({ name }) => name === groupName)?.members?.slice() ?? null;

async function invite(ctx: RunContext<Options>, mine: Membership, role: string): Promise<JsonObject> {
  const { groupLabel, groupName } = mine;
  if (!isByInvitation(mine)) {
    return ctx.fail('GROUP_CLOSED', {
      facts: { group: groupLabel, reason: 'groups of this kind have no invitations' },
    });
  }
  if (!mayDo(ctx.options.canInvite, mine)) return ctx.fail('GROUP_FORBIDDEN', { facts: { group: groupLabel } });
  const roles = rolesOf(ctx, mine) ?? [];
  if (!roles.includes(role))
    return ctx.fail('ROLE_UNKNOWN', { facts: { role, offered: roles.join(', ') || 'nothing' } });
  const invitation = await ctx.memberships.invite(mine.uuid, role);
  const facts = { invitation, role, name: groupName, label: groupLabel, policyName: ctx.policy.name };
  return { invitation: invitationToken(facts) };
}

/** Revokes the membership message, and makes blocks that count members recount. */
async function remove(ctx: RunContext<Options>, mine: Membership, { group, user, message }: Removal): Promise<void> {
  const { groupLabel } = mine;
  if (user === ctx.user.did) {
    return ctx.fail('GROUP_CLOSED', { facts: { group: groupLabel, reason: 'members cannot remove themselves' } });
  }
  if (user === mine.owner) {
    return ctx.fail('GROUP_CLOSED', { facts: { group: groupLabel, reason: 'its owner cannot be removed' } });
  }
  if (!mayDo(ctx.options.canDelete, mine)) return ctx.fail('GROUP_FORBIDDEN', { facts: { group: groupLabel } });
  const removed = await ctx.memberships.remove(group, user);
  if (removed.messageId !== undefined) {
    await ctx.ledger.publish({
      topic: 'root',
      type: 'revoke',
      owner: ctx.user.did,
      relationships: [removed.messageId],
      body: { group, did: user, role: removed.role, reason: message ?? '' },
    });
  }
  for (const block of ctx.policy.blocks) {
    if (block.definition?.inputs?.includes(MEMBER_REMOVED)) ctx.raise(block, MEMBER_REMOVED, { group, did: user });
  }
  ctx.emit(REFRESH);
}
