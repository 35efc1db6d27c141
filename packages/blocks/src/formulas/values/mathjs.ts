/** The two parts of mathjs that are used: its parser and its decimal numbers. Its functions are out of reach. */
import { createRequire } from 'node:module';
import type * as library from 'mathjs';
import type { BigNumber, FactoryFunctionMap, MathNode } from 'mathjs';

export type Decimal = BigNumber;

interface Mathjs {
  parse(expression: string): MathNode;
  readonly Decimal: new (value: string | number | Decimal) => Decimal;
}

let loaded: Mathjs | undefined;

/** Significant digits of every result. */
export const PRECISION = 64;

/**
 * Loaded with the first formula, because loading takes 0.2 seconds. The one-file build is used because the modules of the
 * package take ten times as long.
 */
export function mathjs(): Mathjs {
  if (loaded === undefined) {
    const whole = createRequire(import.meta.url)('mathjs/lib/browser/math.js') as typeof library;
    const { parseDependencies, BigNumberDependencies } = whole;
    const parts = { parseDependencies, BigNumberDependencies } as FactoryFunctionMap;
    const instance = whole.create(parts);
    instance.config({ number: 'BigNumber', precision: PRECISION });
    // The typings leave the class out.
    const { BigNumber: Decimal } = instance as unknown as { BigNumber: Mathjs['Decimal'] };
    loaded = { parse: (expression) => instance.parse(expression), Decimal };
  }
  return loaded;
}

export const decimal = (value: string | number | Decimal): Decimal => {
  const { Decimal } = mathjs();
  return new Decimal(value);
};
