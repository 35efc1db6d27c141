/** What the pool and its threads tell each other: texts only, which are cheap to hand over. */
import type { ScriptLimits } from './limits.js';

export interface ScriptTask {
  readonly expression: string;
  /** Code of artifacts, put before the expression. */
  readonly code: readonly string[];
  /** `ScriptArguments` as JSON. */
  readonly args: string;
  readonly limits: ScriptLimits;
}

/** A result as JSON, or why there is none. */
export type ScriptOutcome =
  | { readonly result: string }
  | { readonly failure: { readonly reason: string; readonly line: number | null; readonly column: number | null } };
