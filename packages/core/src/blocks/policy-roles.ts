/** `policyRolesBlock`: lets a user take a role in the policy, directly or by creating or joining a group. */
import { z } from 'zod';
import type { PolicyUser } from '../access/index.js';
import { defineBlock, type RunContext } from '../block-api/index.js';
import { heading, publishIdentity, tolerant } from '../block-kit/index.js';
import { isObject, type JsonObject } from '../records/index.js';

const options = z.strictObject({
  /** Roles that can be taken directly. */
  roles: tolerant.names,
  /** Names of the policy's groups that users can enter. */
  groups: tolerant.names,
});
type Options = z.infer<typeof options>;

const listOfTexts = { type: 'array', items: { type: 'string' } };

const choice = z.union(
  [
    z.object({ invitation: z.string().min(1).max(4000) }),
    z.object({ group: z.string().min(1), label: z.string().max(200).nullish() }),
    z.object({ role: z.string().min(1) }),
  ],
  { error: 'must be one of {role}, {group, label?} and {invitation}' },
);
type Choice = z.infer<typeof choice>;

export const policyRolesBlock = defineBlock({
  type: 'policyRolesBlock',
  title: 'Choose a role',
  description: 'Offers roles and groups; a user takes one of them.',
  kind: 'interface',
  outputs: ['CreateGroup', 'JoinGroup'],
  pure: true,
  options,
  input: choice,

  references: ({ roles, groups }) => [
    ...roles.map((name, at) => ({ to: 'role', name, path: `/roles/${String(at)}`, severity: 'warning' }) as const),
    ...groups.map((name, at) => ({ to: 'group', name, path: `/groups/${String(at)}`, severity: 'warning' }) as const),
  ],

  shapes: ({ roles, groups }) => ({
    takes: {
      type: 'object',
      oneOf: [
        ...(roles.length === 0 ? [] : [{ properties: { role: { enum: [...roles] } }, required: ['role'] }]),
        ...(groups.length === 0
          ? []
          : [
              {
                properties: { group: { enum: [...groups] }, label: { type: ['string', 'null'], maxLength: 200 } },
                required: ['group'],
              },
              { properties: { invitation: { type: 'string' } }, required: ['invitation'] },
            ]),
      ],
    },
    shows: {
      type: 'object',
      properties: { roles: listOfTexts, groups: listOfTexts, isMultipleGroups: { type: 'boolean' } },
      required: ['roles', 'groups'],
    },
  }),

  read(ctx) {
    const { roles, groups } = ctx.options;
    const offered = ctx.policy.groups.filter((group) => groups.includes(group.name ?? ''));
    const groupMap = Object.fromEntries(
      offered.map(({ name = '', groupAccessType = 'Private', groupRelationshipType = 'Single' }) => [
        name,
        { groupAccessType, groupRelationshipType },
      ]),
    );
    return {
      ...heading(ctx),
      roles: [...roles],
      groups: [...groups],
      groupMap,
      isMultipleGroups: ctx.policy.groups.length > 0,
      uiMetaData: ctx.block.uiMetaData,
    };
  },

  async receive(ctx, input) {
    const user = await take(ctx, input);
    await issueRoleCredential(ctx, user);
    const members = user.group === null ? [] : await ctx.memberships.inGroup(user.group);
    ctx.emit(members.length > 1 ? 'JoinGroup' : 'CreateGroup', null, { user });
    return true;
  },
});

/** Only roles and groups offered by this block can be taken, whatever else the policy defines. */
function take(ctx: RunContext<Options>, input: Choice): Promise<PolicyUser> {
  if ('invitation' in input) return ctx.memberships.join(invitationIn(input.invitation) ?? '');
  const name = 'group' in input ? input.group : input.role;
  const group = ctx.policy.groups.find((candidate) => candidate.name === name);
  if (group !== undefined && ctx.options.groups.includes(name)) {
    if (!group.creator)
      ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the group "${name}" has no creator role` } });
    return ctx.memberships.enterGroup(group, 'group' in input ? (input.label ?? undefined) : undefined);
  }
  const isRole = ctx.policy.roles.includes(name);
  if (isRole && ctx.options.roles.includes(name)) return ctx.memberships.takeRole(name);
  return refuse(ctx, 'group' in input ? 'group' : 'role', name);
}

function refuse(ctx: RunContext<Options>, kind: 'group' | 'role', name: string): never {
  const roles = ctx.options.roles.filter((role) => ctx.policy.roles.includes(role));
  const groups = ctx.options.groups.filter((offered) => ctx.policy.groups.some((group) => group.name === offered));
  const isDeclared = (kind === 'group' ? groups : roles).includes(name);
  if (!isDeclared && (kind === 'group' ? ctx.options.groups : ctx.options.roles).includes(name)) {
    const reason = `the ${kind} "${name}" is offered here, but the policy does not declare it`;
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason } });
  }
  const offered = [...groups, ...roles].join(', ') || 'nothing';
  return kind === 'group'
    ? ctx.fail('GROUP_UNKNOWN', { facts: { group: name, offered } })
    : ctx.fail('ROLE_UNKNOWN', { facts: { role: name, offered } });
}

/** Stores it as a document of type `user-role` (reference, section 7.2) and links it to the membership. */
async function issueRoleCredential(ctx: RunContext, user: PolicyUser): Promise<void> {
  const membership = (await ctx.memberships.inGroup(user.group ?? '')).find(({ did }) => did === user.did);
  if (membership === undefined) return;
  const { role, groupName, groupLabel, owner } = membership;
  const subject: JsonObject = { id: user.did, type: 'UserRole', role, groupName, groupLabel, policyId: ctx.policy.id };
  // An owner whose key is external cannot sign here, so the policy's owner issues it.
  const issuer = (await ctx.credentials.holdsKeyOf(owner)) ? owner : ctx.policy.owner;
  const document = await ctx.credentials.issue({ issuer, group: user.group, subject });
  // The owner signs what follows, and joins nowhere.
  for (const did of new Set([ctx.policy.owner, issuer, user.did])) await publishIdentity(ctx, did);
  const hash = ctx.credentials.hash(document);
  const message = await ctx.ledger.publish({
    topic: 'root',
    type: 'role-document',
    owner,
    hash,
    body: document,
    document,
  });
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

/** Base64url of `{invitation, ...}`, as in the reference (section 7.28). */
export const invitationToken = (facts: JsonObject & { readonly invitation: string }): string =>
  Buffer.from(JSON.stringify(facts)).toString('base64url');

/** The invitation's id; `undefined` if the text is not an invitation. */
function invitationIn(token: string): string | undefined {
  try {
    const facts: unknown = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    return isObject(facts) && typeof facts.invitation === 'string' ? facts.invitation : undefined;
  } catch {
    return undefined;
  }
}
