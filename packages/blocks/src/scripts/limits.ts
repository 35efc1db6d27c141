/** Limits of one script of a policy, and the options of blocks that run scripts. Exceeding a limit is a `ScriptError`. */
import { optionTypes, parseOptions, type OptionsOf, type ResolvedOptions } from '@blockwork/core/block';
import { threadPoolType } from '../threads/index.js';

const limits = {
  /** Running time. */
  milliseconds: optionTypes.milliseconds(1).default(2_000),
  /** Bytes of memory for the script, its arguments and its JavaScript engine; 24 MiB at least. */
  memory: optionTypes.wholeNumber(1).default(64 * 1024 ** 2),
  /** Bytes of stack. Above about 256 KiB the stack of the thread may overflow first. */
  stack: optionTypes.wholeNumber(1).default(192 * 1024),
  /** Characters of the source, including artifacts of code. */
  sourceLength: optionTypes.wholeNumber(1).default(1_000_000),
  /** Characters of the documents, the user and the artifacts as JSON. */
  argumentLength: optionTypes.wholeNumber(1).default(16_000_000),
  /** Characters of the result as JSON. */
  resultLength: optionTypes.wholeNumber(1).default(4_000_000),
};

export type ScriptLimits = ResolvedOptions<typeof limits>;

/** The defaults, overridden by the given limits. Throws `OPTION_INVALID`. */
export const scriptLimits = (options: Partial<ScriptLimits> = {}): ScriptLimits =>
  parseOptions(options, limits, 'scripts.');

export const scriptBlockOptions = {
  /** Script limits that override the defaults. */
  scripts: optionTypes.as<Partial<ScriptLimits>>(optionTypes.object),
  /** Where scripts run; a new pool when absent. */
  threads: threadPoolType,
};

export type ScriptBlockOptions = OptionsOf<typeof scriptBlockOptions>;
