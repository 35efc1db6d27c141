/** What the moves of a player are made from. */
import type { Json, JsonObject } from '@blockwork/core';
import type { BlockNode } from '@blockwork/core/block';
import type { Random } from '../../sample-data/random.js';
import type { Move } from '../move.js';
import type { Player } from '../player.js';
import type { PolicyWorld } from '../policy-world.js';
import type { Site } from '../sites.js';

/** What a move is made from. */
export interface MoveContext {
  readonly world: PolicyWorld;
  readonly player: Player;
  readonly site: Site;
  readonly random: Random;
  /** What a block shows the player; `undefined` where it is not open. */
  readonly read: (block: BlockNode) => Promise<Json | undefined>;
  /** How often a choice at this block was accepted: choices that are new come first. */
  readonly accepted: (choice: string) => number;
  /** A client would offer the row for an action here. */
  readonly offered: (row: JsonObject) => void;
}

/** A move with the row that it is about. */
export interface MadeMove {
  readonly move: Move;
  readonly row?: JsonObject;
}

/** `null` where there is nothing to do at the site now. */
export type MoveMaker = (ctx: MoveContext) => Promise<MadeMove | null>;

export const post = (ctx: MoveContext, body: Json, more: Partial<Move> = {}): Move => ({
  user: ctx.player.name,
  method: 'POST',
  block: ctx.site.node.tag,
  body,
  ...more,
});

/** A choice that was made seldom is more likely. */
export const freshly = <Choice>(
  ctx: MoveContext,
  choices: readonly Choice[],
  nameOf: (choice: Choice) => string,
): Choice | undefined =>
  ctx.random.weighted(choices, (choice) => {
    const [at, accepted] = [choices.indexOf(choice), ctx.accepted(nameOf(choice))];
    // Authors put first what lets things go on.
    return accepted === 0 ? 8 : at === 0 ? 3 : 1;
  });
