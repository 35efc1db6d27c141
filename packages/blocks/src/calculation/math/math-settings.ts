/** Options of `mathBlock`: limits of its formulas and of its script. */
import { optionTypes, type OptionShape } from '@blockwork/core/block';
import type { FormulaBlockOptions } from '../../formulas/index.js';
import type { ScriptLimits } from '../../scripts/index.js';
import { threadPoolType } from '../../threads/index.js';

export interface MathBlockOptions extends FormulaBlockOptions {
  /** Script limits that override the defaults. */
  readonly scripts?: Partial<ScriptLimits>;
}

export const mathBlockOptionTypes: OptionShape<MathBlockOptions> = {
  formulas: optionTypes.object,
  scripts: optionTypes.object,
  threads: threadPoolType,
};
