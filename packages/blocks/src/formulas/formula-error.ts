/** What is wrong with a formula, or with what it was given. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  /** A sentence without its full stop. */
  readonly reason: string;
  /** Where in the expression, counted from 1; `null` where no place can be named. */
  readonly position: number | null;

  constructor(reason: string, position: number | null = null) {
    super(position === null ? reason : `${reason} (at character ${String(position)})`);
    this.reason = reason;
    this.position = position;
  }
}

/** The same failure with the place of `name` in the expression, where it has none yet. */
export function placed(error: FormulaError, expression: string, name: string): FormulaError {
  if (error.position !== null) return error;
  const escaped = name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
  const found = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'u').exec(expression);
  return found === null ? error : new FormulaError(error.reason, found.index + 1);
}
