/** The input for generating a player's moves. */
import type { Json, JsonObject } from '@blockwork/core';
import type { BlockNode } from '@blockwork/core/block';
import type { Random } from '../sample-data/random.js';
import type { Move } from '../move.js';
import type { Player } from '../player.js';
import type { PolicyWorld } from '../world/policy-world.js';
import type { Site } from '../sites.js';

/** The input for generating a move. */
export interface MoveContext {
  readonly world: PolicyWorld;
  readonly player: Player;
  readonly site: Site;
  readonly random: Random;
  /** A block's data as the player sees it; `undefined` if the block is not open. */
  readonly read: (block: BlockNode) => Promise<Json | undefined>;
  /** How often a choice at this block was accepted; new choices come first. */
  readonly accepted: (choice: string) => number;
  /** Between 0 and 1: how soon a choice at this block leads to blocks that were not reached yet. */
  readonly worth: (choice: string) => number;
  /** Acceptance rate between 0 and 1 of data from this strategy at this block. */
  readonly success: (style: string) => number;
  /** How often the row was acted on here. */
  readonly actedOn: (row: JsonObject) => number;
  /** A client would offer the row for an action here. */
  readonly offered: (row: JsonObject) => void;
}

/** A move with the row that it is about. */
export interface MadeMove {
  readonly move: Move;
  readonly row?: JsonObject;
}

/** `null` if there is nothing to do at the site now. */
export type MoveMaker = (ctx: MoveContext) => Promise<MadeMove | null>;

export const post = (ctx: MoveContext, body: Json, more: Partial<Move> = {}): Move => ({
  user: ctx.player.name,
  method: 'POST',
  block: ctx.site.node.tag,
  body,
  ...more,
});

/** Favors choices that lead to new blocks and choices not made before. */
export const freshly = <Choice>(
  ctx: MoveContext,
  choices: readonly Choice[],
  nameOf: (choice: Choice) => string,
): Choice | undefined =>
  ctx.random.weighted(choices, (choice) => {
    const name = nameOf(choice);
    // Authors usually list the choice that continues the flow first.
    const isFirst = choices.indexOf(choice) === 0;
    return ctx.worth(name) + (ctx.accepted(name) === 0 ? 0.05 : isFirst ? 0.006 : 0.002);
  });
