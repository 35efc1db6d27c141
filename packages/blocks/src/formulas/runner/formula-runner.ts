/** Calculates with formulas for blocks: small calculations at once, large ones in threads, with the same results. */
import { checkOptions } from '@blockwork/core/block';
import type { Json, JsonObject } from '@blockwork/core/block';
import { setImmediate } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { ThreadPool, ThreadStopped } from '../../threads/index.js';
import type { Equation, LatexItem, LatexSolution, Solution } from '../evaluate/index.js';
import { FormulaError } from '../formula-error.js';
import { BudgetExceeded, StepBudget } from '../values/index.js';
import { calculations, type CalculationKind, type FormulaFailure, type Input, type Result } from './calculations.js';
import type { FormulaOutcome, FormulaTask } from './formula-worker.js';
import { formulaBlockOptions, formulaRunLimits, type FormulaBlockOptions, type FormulaRunLimits } from './options.js';

/** The context of the block that calculates. Its policy takes turns with others. */
export interface FormulaCaller {
  readonly policy: { readonly id: string };
  fail(
    code: 'FORMULA_STOPPED',
    options: { readonly facts: { readonly reason: string }; readonly cause: unknown },
  ): never;
}

/** Every method fails with `FORMULA_STOPPED` where a thread was stopped at its limit of time or memory. */
export class FormulaRunner {
  readonly #limits: FormulaRunLimits;

  readonly #threads: ThreadPool;

  /** Steps taken in the main thread since it last gave way. */
  #steps = 0;

  /** The next turn of the event loop, while somebody waits for it. */
  #turn: Promise<void> | undefined;

  /** Throws `OPTION_INVALID`; its message begins with `blockType`. */
  constructor(options: FormulaBlockOptions = {}, blockType = 'formulas') {
    checkOptions(options, formulaBlockOptions, `${blockType}: `);
    const { formulas, threads = new ThreadPool() } = options;
    this.#limits = formulaRunLimits(formulas);
    this.#threads = threads;
  }

  /** As `formula(expression).evaluate(scope)`. Throws a `FormulaError`. */
  value(ctx: FormulaCaller, expression: string, scope: JsonObject): Promise<Json> {
    return this.#run(ctx, 'value', { expression, scope, strict: false });
  }

  /** Whether a condition holds, with values compared as in JavaScript. Throws a `FormulaError`. */
  async holds(ctx: FormulaCaller, condition: string, scope: JsonObject): Promise<boolean> {
    return Boolean(await this.#run(ctx, 'value', { expression: condition, scope, strict: true }));
  }

  /** As `amount(expression, scope)` for each scope. Throws the first `FormulaError`. */
  amounts(ctx: FormulaCaller, expression: string, scopes: readonly JsonObject[]): Promise<string[]> {
    return this.#run(ctx, 'amounts', { expression, scopes });
  }

  /** As `solve(equations, scope)`. */
  async solve(ctx: FormulaCaller, equations: readonly Equation[], scope: JsonObject): Promise<Solution> {
    const { values, failures } = await this.#run(ctx, 'equations', { equations, scope });
    return { values, failures: failures.map(({ failure, ...equation }) => ({ ...equation, error: errorOf(failure) })) };
  }

  /** As `solveLatex(items, scope)`. */
  async solveLatex(ctx: FormulaCaller, items: readonly LatexItem[], scope: JsonObject): Promise<LatexSolution> {
    const { values, failures } = await this.#run(ctx, 'latex', { items, scope });
    return { values, failures: failures.map(({ name, failure }) => ({ name, error: errorOf(failure) })) };
  }

  /** A calculation that exceeds its budget starts over in a thread. */
  async #run<Kind extends CalculationKind>(ctx: FormulaCaller, kind: Kind, input: Input<Kind>): Promise<Result<Kind>> {
    const { inlineSteps } = this.#limits;
    const calculation = calculations[kind];
    const reduced = calculation.reduced(input);
    if (calculation.size(reduced) > inlineSteps) return this.#runInThread(ctx, kind, reduced);
    // Whoever else waited may have used up the next turn already.
    while (this.#steps > 0 && this.#steps >= inlineSteps) await (this.#turn ??= this.#nextTurn());
    const budget = new StepBudget(inlineSteps);
    try {
      return calculation.run(reduced, budget);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
    } finally {
      this.#steps += budget.spent;
    }
    return this.#runInThread(ctx, kind, reduced);
  }

  /** A block may have many small calculations. */
  async #nextTurn(): Promise<void> {
    await setImmediate();
    this.#turn = undefined;
    this.#steps = 0;
  }

  async #runInThread<Kind extends CalculationKind>(
    ctx: FormulaCaller,
    kind: Kind,
    input: Input<Kind>,
  ): Promise<Result<Kind>> {
    const { milliseconds, dataBytes } = this.#limits;
    const task: FormulaTask<Kind> = { kind, input: serialize(input) };
    if (task.input.byteLength > dataBytes) {
      throw new FormulaError(`It is given more than ${String(dataBytes)} bytes of data`);
    }
    try {
      const outcome = await this.#threads.run(ctx.policy.id, 'formula', task, milliseconds);
      return resultOf(outcome as FormulaOutcome<Kind>);
    } catch (error) {
      if (!(error instanceof ThreadStopped)) throw error;
      const reason =
        error.limit === 'time'
          ? `it takes longer than ${String(milliseconds)} ms`
          : 'it needs more memory than a thread has';
      return ctx.fail('FORMULA_STOPPED', { facts: { reason }, cause: error });
    }
  }
}

function resultOf<Kind extends CalculationKind>(outcome: FormulaOutcome<Kind>): Result<Kind> {
  if ('failure' in outcome) throw errorOf(outcome.failure);
  return outcome.result;
}

const errorOf = ({ reason, position }: FormulaFailure): FormulaError => new FormulaError(reason, position);
