/** What is used of mathjs: its parser, and its decimal numbers with their precision. */
import type { BigNumber, MathNode } from 'mathjs';

export type Decimal = BigNumber;

export interface MathjsParts {
  readonly parse: (expression: string) => MathNode;
  readonly Decimal: new (value: string | number | Decimal) => Decimal;
}

/** Significant digits of every result. */
export const PRECISION = 64;
