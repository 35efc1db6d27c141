/** Generates a player's move at a site, as clients of each block type do. */
import { buttonMove, interfaceActionMove, voteMove } from './row-moves.js';
import { formMove } from './form-moves.js';
import { groupManagerMove, rolesMove } from './role-moves.js';
import { filterMove, orderMove, pagingMove, reportMove } from './view-moves.js';
import { createTokenMove, tokenConfirmationMove } from './token-moves.js';
import { inputMove } from './input-moves.js';
import type { MoveMaker } from './move-context.js';

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
