/** The report of an exploration: plain data, the same for the same policy, seed and options. */
import type { ScenarioStep } from '../scenario/script.js';

export interface Exploration {
  readonly policy: string;
  readonly seed: number;
  /** Moves made, those that were refused included. */
  readonly steps: number;
  /** How often the policy was started afresh. */
  readonly walks: number;
  /** Users besides the owner. */
  readonly users: number;
  readonly coverage: Coverage;
  /** Documents that nobody can ever move on. */
  readonly deadEnds: readonly DeadEnd[];
  /** Refusals of what a client would offer its user; what clients hide is not among them. */
  readonly refusals: readonly Incident[];
  /** Blocks that failed behind an accepted move, and values that could not be worked out. */
  readonly failures: readonly Incident[];
  /** Faults of the engine or of a block type, never of the policy. Report them. */
  readonly internalErrors: readonly Incident[];
  readonly minted: readonly MintedBy[];
  /** Credentials for which the same token was minted more than once. */
  readonly mintedTwice: readonly MintedTwice[];
  readonly invariants: readonly InvariantResult[];
}

export interface Coverage {
  /** All blocks of the policy, with those of its tools. */
  readonly blocks: number;
  /** Those that something could reach: all but the unreached ones whose reason is `static`. */
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
  /** Whether this follows from the policy alone; otherwise a longer or luckier exploration may reach the block. */
  readonly static: boolean;
  readonly detail: string;
}

/**
 * - `hidden`: no container, grid or navigation shows it, or it is switched off.
 * - `no role`: nobody can ever have a role that it is for.
 * - `no event`: nothing that can happen sends it an event, or leads the step around it there.
 * - `no documents`: it opens from rows, and nothing that can run makes documents like those.
 * - `tool missing`, `unknown type`, `invalid options`: it cannot work.
 * - `another instance`: it works on what other policies or services send.
 * - `no data`: nothing came to it, though something could.
 * - `not open`: it was closed whenever somebody tried.
 * - `not offered`: it opens from rows, and none was there.
 * - `refused`: every attempt was refused.
 * - `not tried`: nobody came by.
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
  /** As it was said the first time. */
  readonly message: string;
  readonly times: number;
  /** Roles that met it. */
  readonly by: readonly string[];
  /** The shortest way found. It passes as long as the policy does what was found. */
  readonly scenario: readonly ScenarioStep[];
}

export interface MintedBy {
  readonly token: string;
  readonly name: string;
  /** Whose move, or `timer`, led to it. */
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
  /** How it was broken first. */
  readonly reason?: string;
  readonly scenario?: readonly ScenarioStep[];
}
