/** Options of blocks that calculate with formulas. */
import { optionTypes, parseOptions, type OptionsOf, type ResolvedOptions } from '@blockwork/core/block';
import { threadPoolType } from '../../threads/index.js';

/** Limits of the calculations of blocks. Each formula has its own limits as well (`formulaLimits`), in every thread. */
const limits = {
  /**
   * Steps that a block's calculation takes in the main thread, 0.3 to 4 microseconds each. One that needs more is carried
   * out in a thread of the pool, with the same result.
   */
  inlineSteps: optionTypes.wholeNumber(0).default(4_000),
  /** Running time in a thread. A calculation that takes longer is `FORMULA_STOPPED`. */
  milliseconds: optionTypes.milliseconds(1).default(30_000),
  /** Bytes of data passed to a thread. More is a `FormulaError`. */
  dataBytes: optionTypes.wholeNumber(1).default(32 * 1024 * 1024),
};

export type FormulaRunLimits = ResolvedOptions<typeof limits>;

/** The defaults, overridden by the given limits. Throws `OPTION_INVALID`. */
export const formulaRunLimits = (options: Partial<FormulaRunLimits> = {}): FormulaRunLimits =>
  parseOptions(options, limits, 'formulas.');

export const formulaBlockOptions = {
  /** Limits of calculations, where they differ from the defaults. */
  formulas: optionTypes.as<Partial<FormulaRunLimits>>(optionTypes.object),
  /** The pool for large calculations; a new pool when absent. */
  threads: threadPoolType,
};

export type FormulaBlockOptions = OptionsOf<typeof formulaBlockOptions>;
