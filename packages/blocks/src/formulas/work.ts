/** How much one evaluation has done so far. Evaluation is synchronous, so its work is counted, not timed. */
import type { Json } from '@blockwork/core/block';
import { FormulaError } from './formula-error.js';
import { formulaLimits } from './limits.js';

export class Work {
  private steps = 0;
  private depth = 0;

  /** `strict`: comparisons as those of JavaScript without conversion between types. */
  constructor(readonly strict: boolean) {}

  spend(steps: number): void {
    if ((this.steps += steps) > formulaLimits.steps) throw new FormulaError('It takes too much work');
  }

  nested<T>(action: () => T): T {
    if ((this.depth += 1) > formulaLimits.depth) throw new FormulaError('It calls itself too deeply');
    try {
      return action();
    } finally {
      this.depth -= 1;
    }
  }

  /** Counts what a value of a document holds. */
  weigh(json: Json): void {
    this.spend(typeof json === 'string' ? 1 + json.length / 10 : 1);
    if (typeof json !== 'object' || json === null) return;
    this.nested(() => {
      for (const member of Object.values(json)) this.weigh(member);
    });
  }
}
