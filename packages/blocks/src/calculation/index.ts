/** Calculation: credentials made of others, by formulas and by scripts; documents gathered, and cut up. */
import type { AnyBlockType } from '@blockwork/core/block';
import { AggregateDocument } from './aggregate-document.js';
import { CalculateContainer } from './calculate-container.js';
import { CalculateMathAddon } from './calculate-math-addon.js';
import { CalculateMathVariables } from './calculate-math-variables.js';
import { CustomLogic } from './custom-logic.js';
import { Split } from './split.js';
import { ScriptPool, type ScriptPoolOptions } from '../scripts/index.js';

export { AggregateDocument, CalculateContainer, CalculateMathAddon, CalculateMathVariables, CustomLogic, Split };

export interface CalculationOptions {
  /** What scripts of policies may use up, and how many run at the same time, where it is not the default. */
  readonly scripts?: ScriptPoolOptions;
}

export const calculationBlocks = ({ scripts = {} }: CalculationOptions = {}): AnyBlockType[] => [
  CalculateContainer,
  CalculateMathAddon,
  CalculateMathVariables,
  new CustomLogic(new ScriptPool(scripts)),
  AggregateDocument,
  Split,
];
