/** The work of one evaluation. It is counted, not timed, so that a limit gives the same result on every machine. */
import type { Json } from '@blockwork/core/block';
import { FormulaError } from '../formula-error.js';
import { formulaLimits } from '../limits.js';

export class Work {
  private steps = 0;
  private depth = 0;

  /** `strict`: values compare as in JavaScript, without conversion between types. */
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

  /** Counts everything inside a value of a document. */
  weigh(json: Json): void {
    this.spend(typeof json === 'string' ? 1 + json.length / 10 : 1);
    if (typeof json !== 'object' || json === null) return;
    this.nested(() => {
      for (const member of Object.values(json)) this.weigh(member);
    });
  }
}
