/** Options of blocks that calculate with formulas. */
import { checkOptions, optionTypes, type OptionShape } from '@blockwork/core/block';
import { threadPoolType, type ThreadPool } from '../../threads/index.js';

/** Limits of the calculations of blocks. Each formula has its own limits as well (`formulaLimits`), in every thread. */
export interface FormulaRunLimits {
  /**
   * Steps that a block's calculation takes in the main thread, 0.3 to 4 microseconds each. One that needs more is carried
   * out in a thread of the pool, with the same result.
   */
  readonly inlineSteps: number;
  /** Running time in a thread. A calculation that takes longer is `FORMULA_STOPPED`. */
  readonly milliseconds: number;
  /** Bytes of data passed to a thread. More is a `FormulaError`. */
  readonly dataBytes: number;
}

export const defaultFormulaRunLimits: FormulaRunLimits = {
  inlineSteps: 4_000,
  milliseconds: 30_000,
  dataBytes: 32 * 1024 * 1024,
};

const limitTypes: OptionShape<FormulaRunLimits> = {
  inlineSteps: optionTypes.wholeNumber(0),
  milliseconds: optionTypes.milliseconds(1),
  dataBytes: optionTypes.wholeNumber(1),
};

export interface FormulaBlockOptions {
  /** Limits of calculations, where they differ from the defaults. */
  readonly formulas?: Partial<FormulaRunLimits>;
  /** The pool for large calculations; a new pool when absent. */
  readonly threads?: ThreadPool;
}

export const formulaBlockOptionTypes: OptionShape<FormulaBlockOptions> = {
  formulas: optionTypes.object,
  threads: threadPoolType,
};

/** Throws `OPTION_INVALID`. */
export const checkFormulaLimits = (limits: Partial<FormulaRunLimits>): void => {
  checkOptions(limits, limitTypes, 'formulas.');
};
