/** From the text of a formula to its syntax tree. */
import { LRUCache } from 'lru-cache';
import type { MathNode } from 'mathjs';
import { FormulaError, withPosition } from '../formula-error.js';
import { arithmetic, type Comparison, comparisons, isFunctionName, logic, unary } from '../functions/index.js';
import { formulaLimits } from '../limits.js';
import { decimal, type Decimal, mathjs, Real } from '../values/index.js';
import type { Syntax } from './syntax.js';

/** Trees by expression; `maxSize` counts characters. */
const parsed = new LRUCache<string, Syntax>({
  max: 1_000,
  maxSize: 300_000,
  sizeCalculation: (_, expression) => Math.max(1, expression.length),
});

/** The syntax tree of an expression, cached. Throws a `FormulaError` for anything that is not allowed. */
export function syntaxOf(expression: string): Syntax {
  const cached = parsed.get(expression);
  if (cached !== undefined) return cached;
  const syntax = parse(expression);
  parsed.set(expression, syntax);
  return syntax;
}

function parse(expression: string): Syntax {
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
  // The typings tell the kinds of nodes apart by class; the reader tells them apart by `type`.
  return readSyntax(expression, root as unknown as MathjsNode);
}

/** Throws a `FormulaError` for anything that is not allowed. */
const readSyntax = (expression: string, root: MathjsNode): Syntax => new SyntaxReader(expression).readAll(root);

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/** Reads one expression. */
class SyntaxReader {
  private nodes = 0;
  private depth = 0;
  /** Names that the expression defines. */
  private readonly own = new Set<string>();
  private readonly called = new Set<string>();

  constructor(private readonly expression: string) {}

  readAll(root: MathjsNode): Syntax {
    const syntax = this.read(root);
    for (const name of this.called) {
      if (!isFunctionName(name) && !this.own.has(name)) this.refuse(`There is no function "${name}"`, name);
    }
    return syntax;
  }

  private refuse(reason: string, name?: string): never {
    const error = new FormulaError(reason);
    throw name === undefined ? error : withPosition(error, this.expression, name);
  }

  private read(node: MathjsNode): Syntax {
    if ((this.nodes += 1) > formulaLimits.nodes) this.refuse(`It has more than ${String(formulaLimits.nodes)} parts`);
    if ((this.depth += 1) > formulaLimits.depth) this.refuse('It is nested too deeply');
    const syntax = this.readNode(node);
    this.depth -= 1;
    return syntax;
  }

  private readNode(node: MathjsNode): Syntax {
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
          operands: this.list(node.params as readonly MathjsNode[]),
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
        return { kind: 'let', name: node.object.name, value: this.read(node.value as MathjsNode) };
      case 'BlockNode':
        return { kind: 'block', statements: this.list(node.blocks.map((block) => block.node)) };
      default:
        return this.refuse(`It holds something that formulas cannot have (${node.type})`);
    }
  }

  private list(nodes: readonly MathjsNode[]): Syntax[] {
    return nodes.map((node) => this.read(node));
  }

  private constant(value: unknown): Syntax {
    if (value === undefined) return this.refuse('It is empty');
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return { kind: 'constant', value };
    // `NaN`, `Infinity` and the 100 of a percentage come as plain numbers.
    const number = decimal(value as Decimal | number);
    if (!number.isFinite()) this.refuse('It holds a number that is not finite');
    if (Math.abs(number.e) > formulaLimits.exponent) this.refuse('It holds a number that is too large or too small');
    return { kind: 'constant', value: Real.of(number) };
  }

  private operator(node: MathjsNode): Syntax {
    const name = node.fn as string;
    const [left, right] = node.args;
    if (name === 'factorial' && left !== undefined) return { kind: 'call', name, args: [this.read(left)] };
    if (left !== undefined && right === undefined && isOneOf(unary, name)) {
      return { kind: 'unary', operator: name, operand: this.read(left) };
    }
    if (left !== undefined && right !== undefined) {
      if (isOneOf(arithmetic, name)) {
        return { kind: 'arithmetic', operator: name, left: this.read(left), right: this.read(right) };
      }
      if (isOneOf(logic, name)) {
        return { kind: 'logic', operator: name, left: this.read(left), right: this.read(right) };
      }
      if (isOneOf(comparisons, name)) {
        return { kind: 'comparison', operators: [name], operands: [this.read(left), this.read(right)] };
      }
    }
    return this.refuse(`The operator ${node.op} cannot be used`);
  }

  private accessor(node: MathjsNode): Syntax {
    if (node.optionalChaining === true) this.refuse('The operator ?. cannot be used');
    const of = this.read(node.object);
    const dimensions = node.index?.dimensions ?? [];
    const [only] = dimensions;
    if (dimensions.length === 1 && only?.type === 'ConstantNode' && typeof only.value === 'string') {
      return { kind: 'field', of, name: only.value };
    }
    return { kind: 'index', of, dimensions: this.list(dimensions) };
  }

  private call(node: MathjsNode): Syntax {
    const target = node.fn as MathjsNode;
    if (target.type !== 'SymbolNode') return this.refuse('Only functions with a name can be called');
    this.called.add(target.name);
    const [test, yes, no] = node.args;
    // Only the value that is wanted is calculated, so that the condition can rule out what would fail.
    if (
      target.name === 'IF' &&
      test !== undefined &&
      yes !== undefined &&
      node.args.length <= 3 &&
      !this.own.has('IF')
    ) {
      return {
        kind: 'choice',
        test: this.read(test),
        yes: this.read(yes),
        no: no === undefined ? { kind: 'constant', value: false } : this.read(no),
      };
    }
    return { kind: 'call', name: target.name, args: this.list(node.args) };
  }

  private functionDefinition(node: MathjsNode): Syntax {
    const parameters = node.params as readonly string[];
    for (const name of [node.name, ...parameters]) this.own.add(name);
    return { kind: 'function', name: node.name, parameters, body: this.read(node.expr) };
  }
}

/** The members of mathjs's syntax nodes that are read. Which of them a node has depends on its `type`. */
interface MathjsNode {
  readonly type: string;
  readonly value: unknown;
  readonly name: string;
  readonly op: string;
  readonly fn: string | MathjsNode;
  readonly args: readonly MathjsNode[];
  readonly content: MathjsNode;
  readonly conditionals: readonly string[];
  readonly params: readonly MathjsNode[] | readonly string[];
  readonly condition: MathjsNode;
  readonly trueExpr: MathjsNode;
  readonly falseExpr: MathjsNode;
  readonly items: readonly MathjsNode[];
  readonly start: MathjsNode;
  readonly step: MathjsNode | null;
  readonly end: MathjsNode;
  readonly object: MathjsNode;
  readonly index: MathjsNode | null;
  readonly optionalChaining?: boolean;
  readonly dimensions: readonly MathjsNode[];
  readonly expr: MathjsNode;
  readonly blocks: readonly { readonly node: MathjsNode }[];
}
