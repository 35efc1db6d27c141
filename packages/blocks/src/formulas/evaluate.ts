/** The evaluation of a syntax tree, in a scope, within the limits of its work. */
import type { JsonObject } from '@blockwork/core/block';
import { calculate } from './arithmetic.js';
import { compare, isTrue } from './comparison.js';
import { each } from './elementwise.js';
import { FormulaError, placed } from './formula-error.js';
import { constantNamed, functionNamed } from './functions.js';
import { formulaLimits } from './limits.js';
import { decimal } from './mathjs.js';
import { toInteger, toNumber } from './numbers.js';
import type { Syntax, SyntaxOf } from './syntax.js';
import { Callable, described, Fields, fromJson, isList, type Value } from './values.js';
import type { Work } from './work.js';

/** Names that can be seen: parameters and definitions, then those around them, then the fields of the scope. */
class Names {
  private readonly known: Map<string, Value>;

  constructor(
    private readonly around: Names | JsonObject,
    known: ReadonlyMap<string, Value> = new Map(),
  ) {
    this.known = new Map(known);
  }

  define(name: string, value: Value): void {
    this.known.set(name, value);
  }

  find(name: string, work: Work): Value | undefined {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    if (this.around instanceof Names) return this.around.find(name, work);
    const json = Object.hasOwn(this.around, name) ? this.around[name] : undefined;
    if (json === undefined) return undefined;
    const value = fromJson(json, work);
    this.known.set(name, value);
    return value;
  }
}

class Evaluation {
  constructor(
    private readonly expression: string,
    private readonly work: Work,
  ) {}

  value(syntax: Syntax, names: Names): Value {
    const { work } = this;
    work.spend(1);
    return work.nested(() => this.valueOf(syntax, names));
  }

  private valueOf(syntax: Syntax, names: Names): Value {
    const { work } = this;
    switch (syntax.kind) {
      case 'constant':
        return syntax.value;
      case 'name':
        return this.named(syntax.name, names);
      case 'unary': {
        const operand = this.value(syntax.operand, names);
        if (syntax.operator === 'not') return !isTrue(operand);
        return each(operand, work, (value) => {
          work.spend(1);
          const number = toNumber(value);
          return syntax.operator === 'unaryMinus' ? number.negated() : number;
        });
      }
      case 'arithmetic':
        return calculate(syntax.operator, this.value(syntax.left, names), this.value(syntax.right, names), work);
      case 'logic': {
        const left = isTrue(this.value(syntax.left, names));
        if (syntax.operator === 'and' && !left) return false;
        if (syntax.operator === 'or' && left) return true;
        const right = isTrue(this.value(syntax.right, names));
        return syntax.operator === 'xor' ? left !== right : right;
      }
      case 'comparison':
        return this.comparison(syntax, names);
      case 'choice':
        return this.value(isTrue(this.value(syntax.test, names)) ? syntax.yes : syntax.no, names);
      case 'list':
        return syntax.items.map((item) => this.value(item, names));
      case 'range':
        return this.range(syntax, names);
      case 'index':
        return this.elements(this.value(syntax.of, names), syntax.dimensions, names);
      case 'field':
        return this.field(this.value(syntax.of, names), syntax.name);
      case 'call':
        return this.call(syntax, names);
      case 'function': {
        const callable = this.defined(syntax, names);
        names.define(syntax.name, callable);
        return callable;
      }
      case 'let': {
        const value = this.value(syntax.value, names);
        names.define(syntax.name, value);
        return value;
      }
      case 'block':
        return syntax.statements.reduce<Value>((_, statement) => this.value(statement, names), null);
    }
  }

  private named(name: string, names: Names): Value {
    const value = names.find(name, this.work);
    if (value !== undefined) return value;
    const builtIn = constantNamed(name) ?? functionNamed(name);
    if (builtIn !== undefined) return builtIn;
    throw placed(new FormulaError(`Nothing is called "${name}"`), this.expression, name);
  }

  private comparison({ operators, operands }: SyntaxOf<'comparison'>, names: Names): Value {
    let result: Value = true;
    let left: Value | undefined;
    for (const [i, operand] of operands.entries()) {
      const right = this.value(operand, names);
      const operator = operators[i - 1];
      if (left !== undefined && operator !== undefined) {
        result = compare(operator, left, right, this.work);
        if (operators.length > 1 && !isTrue(result)) return false;
      }
      left = right;
    }
    return result;
  }

  private range({ from, step, to }: SyntaxOf<'range'>, names: Names): Value {
    const [first, last] = [toNumber(this.value(from, names)), toNumber(this.value(to, names))];
    const by = step === null ? decimal(1) : toNumber(this.value(step, names));
    if (by.isZero()) throw new FormulaError('A range cannot go by steps of 0');
    const length = last.minus(first).dividedBy(by).floor().plus(1);
    if (length.gt(formulaLimits.elements)) throw new FormulaError('A list is too long');
    this.work.spend(Math.max(0, length.toNumber()));
    return Array.from({ length: Math.max(0, length.toNumber()) }, (_, i) => first.plus(by.times(i)));
  }

  /** Elements count from 1; `end` is the last one. */
  private elements(value: Value, [dimension, ...rest]: readonly Syntax[], names: Names): Value {
    if (dimension === undefined) return value;
    if (!isList(value)) throw new FormulaError(`${described(value)} has no elements`);
    const inside = new Names(names);
    inside.define('end', decimal(value.length));
    const chosen = this.value(dimension, inside);
    const element = (position: Value): Value => {
      this.work.spend(1);
      const found = value[toInteger(position) - 1];
      if (found === undefined) {
        throw new FormulaError(`There is no element ${described(position)} in a list of ${String(value.length)}`);
      }
      return this.elements(found, rest, names);
    };
    return isList(chosen) ? chosen.map(element) : element(chosen);
  }

  private field(value: Value, name: string): Value {
    if (!(value instanceof Fields)) throw new FormulaError(`${described(value)} has no field "${name}"`);
    const json = Object.hasOwn(value.json, name) ? value.json[name] : undefined;
    if (json === undefined) {
      throw placed(new FormulaError(`There is no field "${name}"`), this.expression, name);
    }
    return fromJson(json, this.work);
  }

  private call({ name, args }: SyntaxOf<'call'>, names: Names): Value {
    const own = names.find(name, this.work);
    const callable = own instanceof Callable ? own : functionNamed(name);
    if (callable === undefined) {
      throw placed(new FormulaError(`"${name}" is no function`), this.expression, name);
    }
    const values = args.map((arg) => this.value(arg, names));
    try {
      return callable.invoke(values, this.work);
    } catch (error) {
      throw error instanceof FormulaError ? placed(error, this.expression, name) : error;
    }
  }

  private defined({ name, parameters, body }: SyntaxOf<'function'>, names: Names): Callable {
    return new Callable(name, (args) => {
      if (args.length !== parameters.length) {
        throw new FormulaError(
          `The function "${name}" takes ${String(parameters.length)} arguments, not ${String(args.length)}`,
        );
      }
      const inside = new Names(names);
      parameters.forEach((parameter, i) => {
        inside.define(parameter, args[i] ?? null);
      });
      return this.value(body, inside);
    });
  }
}

/** `known` comes before the scope. Throws a `FormulaError` where there is no value, or where the work is too much. */
export function evaluateSyntax(
  expression: string,
  syntax: Syntax,
  scope: JsonObject,
  work: Work,
  known?: ReadonlyMap<string, Value>,
): Value {
  try {
    return new Evaluation(expression, work).value(syntax, new Names(scope, known));
  } catch (error) {
    if (error instanceof RangeError) throw new FormulaError('It calls itself too deeply');
    throw error;
  }
}
