/** Generates a player's move at a site, as clients of each block type do. */
import { isObject, type Json, type JsonObject, valueAt } from '@blockwork/core/block';
import { formMove } from './form-moves.js';
import { inputMove } from './input-moves.js';
import { type MoveContext, type MoveMaker, post } from './move-context.js';
import { buttonMove, interfaceActionMove, voteMove } from './row-moves.js';
import { offeredRow } from './rows.js';

/** A pending invitation is accepted first; then the roles with the fewest players are chosen. */
const rolesMove: MoveMaker = async (ctx) => {
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
  const countOf = (role: string): number =>
    [...ctx.world.players.values()].filter((player) => player.role === role).length + ctx.accepted(role) / 4;
  const choice = ctx.random.weighted([...roles, ...groups], ({ role }) => 1 / (1 + 4 * countOf(role)));
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
const groupManagerMove: MoveMaker = async (ctx) => {
  const groups = valueAt(await ctx.read(ctx.site.node), 'data');
  const group = ctx.random.pick(Array.isArray(groups) ? groups.filter(isObject) : []);
  if (group === undefined) return null;
  const role = ctx.random.pick(textsIn(group['roles']));
  const savedCount = Object.keys(ctx.world.saved).length;
  if (
    group['canInvite'] === true &&
    role !== undefined &&
    savedCount < ctx.world.players.size &&
    ctx.random.chance(0.9)
  ) {
    const keep = { name: `invitation${String(savedCount + 1)}`, path: 'invitation' };
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

const filterMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  const options = valueAt(answer, 'data');
  const values = Array.isArray(options) ? options.filter(isObject).map(({ value }) => value as Json) : [];
  const canBeEmpty = valueAt(answer, 'canBeEmpty') === true;
  // Most of the time all documents should show.
  if (canBeEmpty && (values.length === 0 || ctx.random.chance(0.8))) return { move: post(ctx, { filterValue: null }) };
  const value = ctx.random.pick(values);
  return value === undefined ? null : { move: post(ctx, { filterValue: value }) };
};

/** Sorts by one of the columns, if the policy allows it. */
const orderMove: MoveMaker = (ctx) => {
  const { enableSorting, fields } = ctx.site.node.uiMetaData;
  const names = (Array.isArray(fields) ? fields : []).flatMap((field) => {
    const name: unknown = isObject(field) && field['type'] === 'text' ? field['name'] : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  const orderField = ctx.random.pick(names);
  if (enableSorting !== true || orderField === undefined) return Promise.resolve(null);
  const orderDirection = ctx.random.pick(['asc', 'desc']) ?? 'asc';
  return Promise.resolve({ move: post(ctx, { orderField, orderDirection }) });
};

const pagingMove: MoveMaker = async (ctx) => {
  const size = valueAt(await ctx.read(ctx.site.node), 'size');
  if (typeof size !== 'number') return null;
  return { move: post(ctx, { size, itemsPerPage: 100, page: 0 }) };
};

/** Opens the trust chain of a row. */
const reportMove: MoveMaker = async (ctx) => {
  const offered = await offeredRow(ctx, ({ hash }) => typeof hash === 'string' && hash !== '');
  if (offered === null) return ctx.site.grids.length > 0 ? null : { move: post(ctx, { filterValue: null }) };
  return { move: post(ctx, { filterValue: '${row.hash}' }, { row: offered.choice }), row: offered.row };
};

const tokenConfirmationMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  if (typeof valueAt(answer, 'accountId') !== 'string') return null;
  return { move: post(ctx, { action: 'confirm', hederaAccountKey: 'explored' }) };
};

const blanks: JsonObject = {
  tokenName: 'Explored',
  tokenSymbol: 'EXP',
  tokenType: 'fungible',
  decimals: '2',
  initialSupply: '0',
  enableAdmin: true,
  enableFreeze: false,
  enableKYC: false,
  enableWipe: true,
};

/** Completes the blanks of the template. */
const createTokenMove: MoveMaker = async (ctx) => {
  const answer = await ctx.read(ctx.site.node);
  const template = valueAt(answer, 'data');
  if (valueAt(answer, 'active') !== true || !isObject(template)) return null;
  return { move: post(ctx, { ...blanks, ...(template as JsonObject) }) };
};

const makers: ReadonlyMap<string, MoveMaker> = new Map<string, MoveMaker>([
  ['policyRolesBlock', rolesMove],
  ['groupManagerBlock', groupManagerMove],
  ['requestVcDocumentBlock', formMove],
  ['requestVcDocumentBlockAddon', formMove],
  ['buttonBlock', buttonMove],
  ['interfaceActionBlock', interfaceActionMove],
  ['multiSignBlock', voteMove],
  ['tokenConfirmationBlock', tokenConfirmationMove],
  ['createTokenBlock', createTokenMove],
  ['filtersAddon', filterMove],
  ['paginationAddon', pagingMove],
  ['reportBlock', reportMove],
  ['interfaceDocumentsSourceBlock', orderMove],
]);

/** Block types that this package does not know are sent what their input schema asks for. */
export const makeMove: MoveMaker = (ctx) => (makers.get(ctx.site.node.blockType) ?? inputMove)(ctx);
