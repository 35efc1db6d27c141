/** The syntax that formulas may use: a tree of our own, so that nothing else can be evaluated. */
import type { Decimal } from './mathjs.js';

export type Arithmetic =
  'add' | 'subtract' | 'multiply' | 'divide' | 'mod' | 'pow' | 'dotMultiply' | 'dotDivide' | 'dotPow';
export type Comparison = 'equal' | 'unequal' | 'smaller' | 'smallerEq' | 'larger' | 'largerEq';
export type Logic = 'and' | 'or' | 'xor';

export type Syntax =
  | { readonly kind: 'constant'; readonly value: Decimal | string | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: 'unaryMinus' | 'unaryPlus' | 'not'; readonly operand: Syntax }
  | { readonly kind: 'arithmetic'; readonly operator: Arithmetic; readonly left: Syntax; readonly right: Syntax }
  | { readonly kind: 'logic'; readonly operator: Logic; readonly left: Syntax; readonly right: Syntax }
  /** `a < b <= c`: true when every comparison of neighbours is. One operator more is one operand more. */
  | { readonly kind: 'comparison'; readonly operators: readonly Comparison[]; readonly operands: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly test: Syntax; readonly yes: Syntax; readonly no: Syntax }
  | { readonly kind: 'list'; readonly items: readonly Syntax[] }
  | { readonly kind: 'range'; readonly from: Syntax; readonly step: Syntax | null; readonly to: Syntax }
  | { readonly kind: 'index'; readonly of: Syntax; readonly dimensions: readonly Syntax[] }
  | { readonly kind: 'field'; readonly of: Syntax; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Syntax[] }
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly string[]; readonly body: Syntax }
  | { readonly kind: 'let'; readonly name: string; readonly value: Syntax }
  /** The value is that of the last one. */
  | { readonly kind: 'block'; readonly statements: readonly Syntax[] };

export type SyntaxOf<K extends Syntax['kind']> = Extract<Syntax, { kind: K }>;
