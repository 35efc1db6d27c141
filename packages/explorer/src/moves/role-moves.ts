/** Moves that assign roles and group memberships. */
import { isObject, valueAt } from '@blockwork/core/block';
import { post, type MoveContext, type MoveMaker } from './move-context.js';

/** A pending invitation is accepted first; then the roles with the fewest players are chosen. */
export const rolesMove: MoveMaker = async (ctx) => {
  const invitation = openInvitation(ctx);
  if (invitation !== undefined && ctx.random.chance(0.7)) {
    return { move: post(ctx, { invitation: `\${${invitation}}` }, { choice: invitation }) };
  }
  if (isInReserve(ctx)) return null;
  const answer = await ctx.read(ctx.site.node);
  const roles = textsIn(valueAt(answer, 'roles')).map((role) => ({ role, body: { role } }));
  const groups = textsIn(valueAt(answer, 'groups')).map((group) => ({
    role: group,
    body: { group, label: `${group} of ${ctx.player.name}` },
  }));
  const taken = (role: string): number =>
    [...ctx.world.players.values()].filter((player) => player.role === role).length + ctx.accepted(role) / 4;
  const choice = ctx.random.weighted([...roles, ...groups], ({ role }) => 1 / (1 + 4 * taken(role)));
  return choice === undefined ? null : { move: post(ctx, choice.body, { choice: choice.role }) };
};

/** Where members are invited, every second player waits for an invitation, at least for a while. */
function isInReserve({ world, player, random }: MoveContext): boolean {
  const invites = world.tree.blocks.some(({ blockType }) => blockType === 'groupManagerBlock');
  return invites && /[13579]$/.test(player.name) && random.chance(0.95);
}

/** Invitations are kept as `invitation<n>`, each for one player. */
function openInvitation({ world, accepted }: MoveContext): string | undefined {
  return Object.keys(world.saved).find((name) => name.startsWith('invitation') && accepted(name) === 0);
}

/** Invites into a group, or rarely removes a member. */
export const groupManagerMove: MoveMaker = async (ctx) => {
  const groups = valueAt(await ctx.read(ctx.site.node), 'data');
  const group = ctx.random.pick(Array.isArray(groups) ? groups.filter(isObject) : []);
  if (group === undefined) return null;
  const role = ctx.random.pick(textsIn(group['roles']));
  const kept = Object.keys(ctx.world.saved).length;
  if (group['canInvite'] === true && role !== undefined && kept < ctx.world.players.size && ctx.random.chance(0.9)) {
    const keep = { name: `invitation${String(kept + 1)}`, path: 'invitation' };
    return { move: post(ctx, { action: 'invite', group: groupOf(group), role }, { keep, choice: 'invite' }) };
  }
  return removal(ctx, group);
};

function removal(ctx: MoveContext, group: Record<string, unknown>): ReturnType<MoveMaker> {
  const members = Array.isArray(group['data']) ? group['data'].filter(isObject) : [];
  const others = members.filter(({ current, type }) => current !== true && type !== 'Owner');
  const player = ctx.world.playerWith(String(ctx.random.pick(others)?.['did']));
  if (group['canDelete'] !== true || player === undefined) return Promise.resolve(null);
  const user = `\${users.${player.name}.did}`;
  const body = { action: 'delete', group: groupOf(group), user, message: 'explored' };
  return Promise.resolve({ move: post(ctx, body, { choice: 'delete' }) });
}

const groupOf = ({ id }: Record<string, unknown>): string => (typeof id === 'string' ? id : '');

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
