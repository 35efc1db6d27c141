/** Messages between the pool and its threads. They consist of texts, which are cheap to copy. */
import type { ScriptLimits } from './limits.js';

export interface ScriptTask {
  readonly expression: string;
  /** Artifacts of code, which run before the expression. */
  readonly code: readonly string[];
  /** `ScriptArguments` as JSON. */
  readonly args: string;
  readonly limits: ScriptLimits;
}

/** The result as JSON, or the error. */
export type ScriptOutcome =
  | { readonly result: string }
  | { readonly failure: { readonly reason: string; readonly line: number | null; readonly column: number | null } };
