/** Moves of an exploration: one user's action, in a form that can be replayed in a fresh policy. */
import type { Json } from '@blockwork/core';
import type { Where } from '@blockwork/testing';

export interface Move {
  /** Name of the user; `system` for timers. */
  readonly user: string;
  /** As in a scenario. */
  readonly method: 'POST' | 'EXTERNAL' | 'TICK' | 'WAIT';
  /** Tag of the block, or its uuid where it has no tag; empty for `WAIT`. */
  readonly block: string;
  /** With references as in a scenario: `${users.alice.did}`, `{"$row": "row"}`, and names that earlier moves kept. */
  readonly body: Json;
  /** The row of a grid that the body refers to as `row`. */
  readonly row?: RowChoice;
  /** Parts of the response to save for later moves. */
  readonly keep?: { readonly name: string; readonly path: string };
  /** The choice made at the block, such as a button, to be counted. */
  readonly choice?: string;
  /** The strategy used to generate form data. */
  readonly style?: string;
}

/** Where the row is found: in the answer of a block, as the row that meets a condition, or at a path. */
export type RowChoice =
  { readonly grid: string; readonly where: Where } | { readonly grid: string; readonly path: string };

/** Why a move was refused. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** Tag of the block that refused, which may be one behind the block that was sent to. */
  readonly block: string;
}
