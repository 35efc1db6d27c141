/** The work of one evaluation. It is counted, not timed, so that a limit gives the same result on every machine. */
import type { Json } from '@blockwork/core/block';
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';

/** The steps that several evaluations may take together in this thread. */
export class StepBudget {
  #spent = 0;

  constructor(private readonly limit: number) {}

  get spent(): number {
    return this.#spent;
  }

  /** Throws `BudgetExceeded`. */
  spend(steps: number): void {
    if ((this.#spent += steps) > this.limit) throw new BudgetExceeded();
  }
}

/** The evaluation needs more steps than its budget has, but may be within its limit. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

export interface WorkOptions {
  /** Values compare as in JavaScript, without conversion between types. */
  readonly strict?: boolean;
  /** None when absent: then only the limit applies. */
  readonly budget?: StepBudget | undefined;
}

export class Work {
  readonly strict: boolean;
  readonly budget: StepBudget | undefined;
  private steps = 0;
  private depth = 0;

  constructor({ strict = false, budget }: WorkOptions = {}) {
    this.strict = strict;
    this.budget = budget;
  }

  spend(steps: number): void {
    if ((this.steps += steps) > formulaLimits.steps) throw new FormulaError('It takes too much work');
    this.budget?.spend(steps);
  }

  /** Counts the elements of a list before it is made. */
  listOf(length: number): number {
    if (!(length <= formulaLimits.elements)) throw new FormulaError('A list is too long');
    this.spend(length);
    return length;
  }

  /** Counts the characters of a text before it is made. */
  textOf(length: number): void {
    if (!(length <= formulaLimits.textLength)) throw new FormulaError('A text is too long');
    this.spend(1 + length / 100);
  }

  nested<T>(action: () => T): T {
    if ((this.depth += 1) > formulaLimits.depth) throw new FormulaError('It calls itself too deeply');
    try {
      return action();
    } finally {
      this.depth -= 1;
    }
  }

  /** Counts everything inside a value of a document. */
  weigh(json: Json): void {
    this.spend(typeof json === 'string' ? 1 + json.length / 10 : 1);
    if (typeof json !== 'object' || json === null) return;
    this.nested(() => {
      for (const member of Object.values(json)) this.weigh(member);
    });
  }
}
