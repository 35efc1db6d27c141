/** What a script of a policy may use up. Whatever goes beyond is a `ScriptError`. */
export interface ScriptLimits {
  readonly milliseconds: number;
  /** Bytes of memory for the script, its arguments and the engine that runs it; 24 MiB at the least. */
  readonly memory: number;
  /** Bytes of stack. Over some 256 KiB the engine of the host may run out of its own first. */
  readonly stack: number;
  /** Characters of the source, artifacts of code included. */
  readonly sourceLength: number;
  /** Characters of the documents, the user and the artifacts as JSON. */
  readonly argumentLength: number;
  /** Characters of the result as JSON. */
  readonly resultLength: number;
}

export const defaultScriptLimits: ScriptLimits = {
  milliseconds: 2_000,
  memory: 64 * 1024 * 1024,
  stack: 192 * 1024,
  sourceLength: 1_000_000,
  argumentLength: 16_000_000,
  resultLength: 4_000_000,
};
