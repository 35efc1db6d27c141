/** The calculations that blocks make with formulas. Inputs and results are JSON, so they can be made in any thread. */
import type { Json, JsonObject } from '@blockwork/core/block';
import { amountOf, solve, solveLatex, valueOf, type Equation, type LatexItem } from '../evaluate/index.js';
import { FormulaError } from '../formula-error.js';
import { namesIn } from '../parse/index.js';
import type { StepBudget } from '../values/index.js';

interface Inputs {
  value: { readonly expression: string; readonly scope: JsonObject; readonly strict: boolean };
  amounts: { readonly expression: string; readonly scopes: readonly JsonObject[] };
  equations: { readonly equations: readonly Equation[]; readonly scope: JsonObject };
  latex: { readonly items: readonly LatexItem[]; readonly scope: JsonObject };
}

interface Results {
  value: Json;
  amounts: string[];
  equations: SolvedEquations;
  latex: SolvedLatex;
}

/** A `LatexSolution` with its errors as data. */
export interface SolvedLatex {
  readonly values: JsonObject;
  readonly failures: readonly { readonly name: string; readonly failure: FormulaFailure }[];
}

/** A `Solution` with its errors as data. */
export interface SolvedEquations {
  readonly values: JsonObject;
  readonly failures: readonly (Equation & { readonly failure: FormulaFailure })[];
}

export interface FormulaFailure {
  readonly reason: string;
  readonly position: number | null;
}

export type CalculationKind = keyof Inputs;
export type Input<Kind extends CalculationKind> = Inputs[Kind];
export type Result<Kind extends CalculationKind> = Results[Kind];

interface Calculation<Kind extends CalculationKind> {
  /** Throws a `FormulaError`, or `BudgetExceeded`. */
  run(input: Input<Kind>, budget?: StepBudget): Result<Kind>;
  /** The input without fields that no formula names. Throws a `FormulaError` where `run` does. */
  reduced(input: Input<Kind>): Input<Kind>;
  /** Number of values in a reduced input: about the fewest steps that `run` takes. */
  size(input: Input<Kind>): number;
}

export const calculations: { readonly [Kind in CalculationKind]: Calculation<Kind> } = {
  value: {
    run: ({ expression, scope, strict }, budget) => valueOf(expression, scope, { strict, budget }),
    reduced: (input) => ({ ...input, scope: pick(input.scope, namesIn(input.expression)) }),
    size: ({ scope }) => valuesIn(scope),
  },
  amounts: {
    run: ({ expression, scopes }, budget) => scopes.map((scope) => amountOf(expression, scope, budget)),
    reduced(input) {
      if (input.scopes.length === 0) return input;
      const names = namesIn(input.expression);
      return { ...input, scopes: input.scopes.map((scope) => pick(scope, names)) };
    },
    size: ({ scopes }) => scopes.reduce((total, scope) => total + 1 + valuesIn(scope), 0),
  },
  equations: {
    run({ equations, scope }, budget) {
      const { values, failures } = solve(equations, scope, budget);
      return {
        values,
        failures: failures.map(({ error, ...equation }) => ({ ...equation, failure: failureOf(error) })),
      };
    },
    reduced: ({ equations, scope }) => ({ equations, scope: pick(scope, namesInAll(equations)) }),
    size: ({ scope }) => valuesIn(scope),
  },
  latex: {
    run({ items, scope }, budget) {
      const { values, failures } = solveLatex(items, scope, budget);
      return { values, failures: failures.map(({ name, error }) => ({ name, failure: failureOf(error) })) };
    },
    // The scope consists of what the formulas name.
    reduced: (input) => input,
    size: ({ scope }) => valuesIn(scope),
  },
};

export const failureOf = ({ reason, position }: FormulaError): FormulaFailure => ({ reason, position });

const pick = (scope: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(scope).filter(([name]) => names.has(name)));

const valuesIn = (scope: JsonObject): number =>
  Object.values(scope).reduce<number>((total, value) => total + (Array.isArray(value) ? value.length : 1), 0);

/** An equation that is not allowed uses no names: it fails without being evaluated. */
function namesInAll(equations: readonly Equation[]): Set<string> {
  const names = equations.map(({ formula }) => {
    try {
      return namesIn(formula);
    } catch (error) {
      if (error instanceof FormulaError) return new Set<string>();
      throw error;
    }
  });
  return new Set(names.flatMap((each) => [...each]));
}
