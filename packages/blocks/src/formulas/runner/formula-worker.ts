/** The program of a thread that calculates with formulas. */
import { deserialize } from 'node:v8';
import { FormulaError } from '../formula-error.js';
import {
  calculations,
  failureOf,
  type CalculationKind,
  type FormulaFailure,
  type Input,
  type Result,
} from './calculations.js';
import { yieldToEventLoop } from '../../threads/priority.js';

export interface FormulaTask<Kind extends CalculationKind> {
  readonly kind: Kind;
  /** The input as `node:v8` serializes it: unlike JSON it keeps every number as it is, -0 included. */
  readonly input: Uint8Array;
}

export type FormulaOutcome<Kind extends CalculationKind> =
  { readonly result: Result<Kind> } | { readonly failure: FormulaFailure };

yieldToEventLoop();

export default function run<Kind extends CalculationKind>({ kind, input }: FormulaTask<Kind>): FormulaOutcome<Kind> {
  try {
    return { result: calculations[kind].run(deserialize(input) as Input<Kind>) };
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return { failure: failureOf(error) };
  }
}
