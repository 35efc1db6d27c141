/** The syntax tree of a formula. Only what has a node here can be evaluated. */
import type { Arithmetic, Comparison, Logic, Unary } from '../functions/index.js';
import type { Real } from '../values/index.js';

export type Syntax =
  | { readonly kind: 'constant'; readonly value: Real | string | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: Unary; readonly operand: Syntax }
  | { readonly kind: 'arithmetic'; readonly operator: Arithmetic; readonly left: Syntax; readonly right: Syntax }
  | { readonly kind: 'logic'; readonly operator: Logic; readonly left: Syntax; readonly right: Syntax }
  /** `a < b <= c`: true if each operator holds between its neighbours. There is one operand more than operators. */
  | { readonly kind: 'comparison'; readonly operators: readonly Comparison[]; readonly operands: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly test: Syntax; readonly yes: Syntax; readonly no: Syntax }
  | { readonly kind: 'list'; readonly items: readonly Syntax[] }
  | { readonly kind: 'range'; readonly from: Syntax; readonly step: Syntax | null; readonly to: Syntax }
  | { readonly kind: 'index'; readonly of: Syntax; readonly dimensions: readonly Syntax[] }
  | { readonly kind: 'field'; readonly of: Syntax; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Syntax[] }
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly string[]; readonly body: Syntax }
  /** The sum or product of `body` for each whole number of the variable. LaTeX only. */
  | {
      readonly kind: 'series';
      readonly operator: 'sum' | 'prod';
      readonly variable: string;
      readonly from: Syntax;
      readonly to: Syntax;
      readonly body: Syntax;
    }
  | { readonly kind: 'let'; readonly name: string; readonly value: Syntax }
  /** Its value is that of the last statement. */
  | { readonly kind: 'block'; readonly statements: readonly Syntax[] };

export type SyntaxOf<K extends Syntax['kind']> = Extract<Syntax, { kind: K }>;

/** The nodes directly below a node, in the order of the text. */
export function childrenOf(syntax: Syntax): readonly Syntax[] {
  switch (syntax.kind) {
    case 'constant':
    case 'name':
      return [];
    case 'unary':
      return [syntax.operand];
    case 'arithmetic':
    case 'logic':
      return [syntax.left, syntax.right];
    case 'comparison':
      return syntax.operands;
    case 'choice':
      return [syntax.test, syntax.yes, syntax.no];
    case 'list':
      return syntax.items;
    case 'range':
      return syntax.step === null ? [syntax.from, syntax.to] : [syntax.from, syntax.step, syntax.to];
    case 'index':
      return [syntax.of, ...syntax.dimensions];
    case 'field':
      return [syntax.of];
    case 'call':
      return syntax.args;
    case 'function':
      return [syntax.body];
    case 'series':
      return [syntax.from, syntax.to, syntax.body];
    case 'let':
      return [syntax.value];
    case 'block':
      return syntax.statements;
  }
}
