/** The error of formulas that are not allowed, or have no value. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  /** A sentence without its full stop. */
  readonly reason: string;
  /** Character of the expression, from 1; `null` where the error has no place in it. */
  readonly position: number | null;

  constructor(reason: string, position: number | null = null) {
    super(position === null ? reason : `${reason} (at character ${String(position)})`);
    this.reason = reason;
    this.position = position;
  }
}

/** The same error with the position of `name` in the expression, unless it has a position. */
export function withPosition(error: FormulaError, expression: string, name: string): FormulaError {
  if (error.position !== null) return error;
  const escaped = name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
  const match = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'u').exec(expression);
  return match === null ? error : new FormulaError(error.reason, match.index + 1);
}
