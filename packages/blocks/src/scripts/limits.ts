/** Limits of one script of a policy. Exceeding one is a `ScriptError`. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/block';

export interface ScriptLimits {
  /** Running time. */
  readonly milliseconds: number;
  /** Bytes of memory for the script, its arguments and its JavaScript engine; 24 MiB at least. */
  readonly memory: number;
  /** Bytes of stack. Above about 256 KiB the stack of the thread may overflow first. */
  readonly stack: number;
  /** Characters of the source, including artifacts of code. */
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

const limitTypes: OptionShape<ScriptLimits> = {
  milliseconds: optionTypes.milliseconds(1),
  memory: optionTypes.wholeNumber(1),
  stack: optionTypes.wholeNumber(1),
  sourceLength: optionTypes.wholeNumber(1),
  argumentLength: optionTypes.wholeNumber(1),
  resultLength: optionTypes.wholeNumber(1),
};

/** Throws `OPTION_INVALID`. */
export const checkScriptLimits = (limits: Partial<ScriptLimits>): void => {
  checkOptions(limits, limitTypes, 'scripts.');
};
