/** From the text of an expression to its syntax tree: the allow-list of what formulas may be written with. */
import type { MathNode } from 'mathjs';
import { ExpressionCache } from './expression-cache.js';
import { FormulaError, placed } from './formula-error.js';
import { isFunctionName } from './functions.js';
import { formulaLimits } from './limits.js';
import { decimal, mathjs, type Decimal } from './mathjs.js';
import type { Arithmetic, Comparison, Logic, Syntax } from './syntax.js';

const arithmetic = ['add', 'subtract', 'multiply', 'divide', 'mod', 'pow', 'dotMultiply', 'dotDivide', 'dotPow'];
const comparisons = ['equal', 'unequal', 'smaller', 'smallerEq', 'larger', 'largerEq'];
const logic = ['and', 'or', 'xor'];
const unary = ['unaryMinus', 'unaryPlus', 'not'];

/** The members of the library's nodes that are read here; which are present depends on `type`. */
interface RawNode {
  readonly type: string;
  readonly value: unknown;
  readonly name: string;
  readonly op: string;
  readonly fn: string | RawNode;
  readonly args: readonly RawNode[];
  readonly content: RawNode;
  readonly conditionals: readonly string[];
  readonly params: readonly RawNode[] | readonly string[];
  readonly condition: RawNode;
  readonly trueExpr: RawNode;
  readonly falseExpr: RawNode;
  readonly items: readonly RawNode[];
  readonly start: RawNode;
  readonly step: RawNode | null;
  readonly end: RawNode;
  readonly object: RawNode;
  readonly index: RawNode | null;
  readonly optionalChaining?: boolean;
  readonly dimensions: readonly RawNode[];
  readonly expr: RawNode;
  readonly blocks: readonly { readonly node: RawNode }[];
}

class Reader {
  private nodes = 0;
  private depth = 0;
  /** Names that the expression itself defines. */
  private readonly own = new Set<string>();
  private readonly called = new Set<string>();

  constructor(private readonly expression: string) {}

  readAll(root: RawNode): Syntax {
    const syntax = this.read(root);
    for (const name of this.called) {
      if (!isFunctionName(name) && !this.own.has(name)) this.refuse(`There is no function "${name}"`, name);
    }
    return syntax;
  }

  private refuse(reason: string, name?: string): never {
    const error = new FormulaError(reason);
    throw name === undefined ? error : placed(error, this.expression, name);
  }

  private read(node: RawNode): Syntax {
    if ((this.nodes += 1) > formulaLimits.nodes) this.refuse(`It has more than ${String(formulaLimits.nodes)} parts`);
    if ((this.depth += 1) > formulaLimits.depth) this.refuse('It is nested too deeply');
    const syntax = this.readNode(node);
    this.depth -= 1;
    return syntax;
  }

  private readNode(node: RawNode): Syntax {
    switch (node.type) {
      case 'ParenthesisNode':
        return this.read(node.content);
      case 'ConstantNode':
        return this.constant(node.value);
      case 'SymbolNode':
        return { kind: 'name', name: node.name };
      case 'OperatorNode':
        return this.operator(node);
      case 'RelationalNode':
        return {
          kind: 'comparison',
          operators: node.conditionals as Comparison[],
          operands: this.list(node.params as readonly RawNode[]),
        };
      case 'ConditionalNode':
        return {
          kind: 'choice',
          test: this.read(node.condition),
          yes: this.read(node.trueExpr),
          no: this.read(node.falseExpr),
        };
      case 'ArrayNode':
        return { kind: 'list', items: this.list(node.items) };
      case 'RangeNode':
        return {
          kind: 'range',
          from: this.read(node.start),
          step: node.step === null ? null : this.read(node.step),
          to: this.read(node.end),
        };
      case 'AccessorNode':
        return this.accessor(node);
      case 'FunctionNode':
        return this.call(node);
      case 'FunctionAssignmentNode':
        return this.functionDefinition(node);
      case 'AssignmentNode':
        if (node.index !== null) return this.refuse('Parts of a list cannot be replaced');
        this.own.add(node.object.name);
        return { kind: 'let', name: node.object.name, value: this.read(node.value as RawNode) };
      case 'BlockNode':
        return { kind: 'block', statements: this.list(node.blocks.map((block) => block.node)) };
      default:
        return this.refuse(`It holds something that formulas cannot have (${node.type})`);
    }
  }

  private list(nodes: readonly RawNode[]): Syntax[] {
    return nodes.map((node) => this.read(node));
  }

  private constant(value: unknown): Syntax {
    if (value === undefined) return this.refuse('It is empty');
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return { kind: 'constant', value };
    // `NaN`, `Infinity` and the 100 of a percentage come as plain numbers.
    const number = decimal(value as Decimal | number);
    if (!number.isFinite()) this.refuse('It holds a number that is not finite');
    if (Math.abs(number.e) > formulaLimits.exponent) this.refuse('It holds a number that is too large or too small');
    return { kind: 'constant', value: number };
  }

  private operator(node: RawNode): Syntax {
    const name = node.fn as string;
    const [left, right] = node.args;
    if (left !== undefined && right === undefined && unary.includes(name)) {
      return { kind: 'unary', operator: name as 'not', operand: this.read(left) };
    }
    if (left !== undefined && right !== undefined) {
      if (arithmetic.includes(name)) {
        return { kind: 'arithmetic', operator: name as Arithmetic, left: this.read(left), right: this.read(right) };
      }
      if (logic.includes(name)) {
        return { kind: 'logic', operator: name as Logic, left: this.read(left), right: this.read(right) };
      }
      if (comparisons.includes(name)) {
        return { kind: 'comparison', operators: [name as Comparison], operands: [this.read(left), this.read(right)] };
      }
    }
    return this.refuse(`The operator ${node.op} cannot be used`);
  }

  private accessor(node: RawNode): Syntax {
    if (node.optionalChaining === true) this.refuse('The operator ?. cannot be used');
    const of = this.read(node.object);
    const dimensions = node.index?.dimensions ?? [];
    const [only] = dimensions;
    if (dimensions.length === 1 && only?.type === 'ConstantNode' && typeof only.value === 'string') {
      return { kind: 'field', of, name: only.value };
    }
    return { kind: 'index', of, dimensions: this.list(dimensions) };
  }

  private call(node: RawNode): Syntax {
    const target = node.fn as RawNode;
    if (target.type !== 'SymbolNode') return this.refuse('Only functions with a name can be called');
    this.called.add(target.name);
    return { kind: 'call', name: target.name, args: this.list(node.args) };
  }

  private functionDefinition(node: RawNode): Syntax {
    const parameters = node.params as readonly string[];
    for (const name of [node.name, ...parameters]) this.own.add(name);
    return { kind: 'function', name: node.name, parameters, body: this.read(node.expr) };
  }
}

/** Throws a `FormulaError` for what is not allowed. */
function parseFormula(expression: string): Syntax {
  if (expression.length > formulaLimits.characters) {
    throw new FormulaError(`It is longer than ${String(formulaLimits.characters)} characters`);
  }
  let root: MathNode;
  try {
    root = mathjs().parse(expression);
  } catch (error) {
    if (error instanceof RangeError) throw new FormulaError('It is nested too deeply');
    const { message, char } = error as Error & { char?: number };
    throw new FormulaError(message.replace(/\s*\(char \d+\)$/, '').replace(/\.$/, ''), char ?? null);
  }
  return new Reader(expression).readAll(root as unknown as RawNode);
}

const parsed = new ExpressionCache<Syntax>();

/** The tree of an expression; remembered. Throws a `FormulaError` for what is not allowed. */
export const syntaxOf = (expression: string): Syntax => parsed.get(expression, parseFormula);
