/** The report of an exploration: plain data, the same for the same policy, seed and options. */
import type { ScenarioStep } from './scenario/script.js';

export interface Exploration {
  readonly policy: string;
  readonly seed: number;
  /** Moves made, including refused ones. */
  readonly steps: number;
  /** Number of fresh starts of the policy. */
  readonly walks: number;
  /** Users besides the owner. */
  readonly users: number;
  readonly coverage: Coverage;
  /** Documents that no user advanced. */
  readonly deadEnds: readonly DeadEnd[];
  /** Refused actions that a client would offer to its user; actions that clients hide are excluded. */
  readonly refusals: readonly Incident[];
  /** Blocks that failed after an accepted move, and values that could not be computed. */
  readonly failures: readonly Incident[];
  /** Faults of the engine or of a block type, never of the policy. Report them. */
  readonly internalErrors: readonly Incident[];
  readonly minted: readonly MintedBy[];
  /** Credentials for which the same token was minted more than once. */
  readonly mintedTwice: readonly MintedTwice[];
  readonly invariants: readonly InvariantResult[];
}

export interface Coverage {
  /** All blocks of the policy, including those of its tools. */
  readonly blocks: number;
  /** Reachable blocks: all but the unreached ones whose reason is `static`. */
  readonly reachable: number;
  readonly reached: readonly ReachedBlock[];
  readonly unreached: readonly UnreachedBlock[];
}

export interface ReachedBlock {
  readonly block: string;
  readonly blockType: string;
  /** How often, by role: `owner`, `without a role`, or a role of the policy. */
  readonly by: Readonly<Record<string, number>>;
}

export interface UnreachedBlock {
  readonly block: string;
  readonly blockType: string;
  readonly reason: UnreachedReason;
  /** Whether this follows from the policy alone; otherwise a longer exploration or another seed may reach the block. */
  readonly static: boolean;
  /** Whether nothing at all can reach it; otherwise the program around the engine, or another instance, may. */
  readonly certain: boolean;
  readonly detail: string;
}

/**
 * - `hidden`: no container, grid or navigation shows it, or it is switched off.
 * - `no role`: no user can ever have a role that may access it.
 * - `no event`: no reachable block sends it an event or makes its step block advance to it.
 * - `no documents`: it opens from rows, and no reachable block creates such documents.
 * - `tool missing`, `unknown type`, `invalid options`: it cannot work.
 * - `another instance`: it depends on input from other policies or services.
 * - `no data`: no data reached it, although it could.
 * - `not open`: it was closed on every attempt.
 * - `not offered`: it opens from rows, and none existed.
 * - `refused`: every attempt was refused.
 * - `not tried`: no player tried it.
 */
export type UnreachedReason =
  | 'hidden'
  | 'no role'
  | 'no event'
  | 'no documents'
  | 'tool missing'
  | 'unknown type'
  | 'invalid options'
  | 'another instance'
  | 'no data'
  | 'not open'
  | 'not offered'
  | 'refused'
  | 'not tried';

export interface DeadEnd {
  /** Whether it follows from the policy; otherwise a longer exploration may find a way on. */
  readonly certain: boolean;
  /** Entity type or schema of the documents, and their status; `-` without one. */
  readonly type: string;
  readonly status: string;
  readonly documents: number;
  readonly reason: string;
  readonly scenario: readonly ScenarioStep[];
}

export interface Incident {
  readonly code: string;
  /** The block that refused or failed. */
  readonly block: string;
  /** The message of the first occurrence. */
  readonly message: string;
  readonly times: number;
  /** Roles that encountered it. */
  readonly by: readonly string[];
  /** The shortest way found, as a scenario that passes as long as the finding persists. */
  readonly scenario: readonly ScenarioStep[];
}

export interface MintedBy {
  readonly token: string;
  readonly name: string;
  /** The role whose move led to it, or `timer`. */
  readonly by: string;
  readonly mints: number;
  /** In whole tokens, exact. */
  readonly amount: string;
}

export interface MintedTwice {
  readonly token: string;
  /** Blocks that minted for the same credential. */
  readonly blocks: readonly string[];
  readonly times: number;
  readonly scenario: readonly ScenarioStep[];
}

export interface InvariantResult {
  readonly invariant: string;
  readonly held: boolean;
  /** The first violation. */
  readonly reason?: string;
  readonly scenario?: readonly ScenarioStep[];
}
