/** Formulas of spreadsheets as trees. */

export type BinaryOperator = '^' | '*' | '/' | '+' | '-' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface CellReference {
  readonly kind: 'cell';
  /** Of another sheet than that of the formula. */
  readonly sheet?: string;
  readonly column: string;
  readonly row: number;
}

export type Formula =
  | { readonly kind: 'value'; readonly value: number | string | boolean }
  | CellReference
  | { readonly kind: 'range'; readonly from: CellReference; readonly to: CellReference }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Formula[] }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '%'; readonly operand: Formula }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Formula; readonly right: Formula };

/** A formula that is not one, or that has no equivalent. The message says which part. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
}
