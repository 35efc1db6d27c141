/** The evaluation of a syntax tree in a scope, within limits. */
import type { JsonObject } from '@blockwork/core/block';
import { calculate, compare, constantNamed, each, functionNamed, isTrue, stepped } from '../functions/index.js';
import { FormulaError, withPosition } from '../formula-error.js';
import { Names } from './names.js';
import { formulaLimits } from '../limits.js';
import {
  BudgetExceeded,
  Callable,
  real,
  describe,
  Fields,
  fromJson,
  isList,
  toInteger,
  toNumber,
  type Value,
  type Work,
} from '../values/index.js';
import { inlineBody, inlineParameter, type Syntax, type SyntaxOf } from '../parse/index.js';

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
      case 'unary':
        return this.unary(syntax, names);
      case 'arithmetic':
        return calculate(syntax.operator, this.value(syntax.left, names), this.value(syntax.right, names), work);
      case 'logic':
        return this.logic(syntax, names);
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
      case 'function':
        return define(names, syntax.name, this.callable(syntax, names));
      case 'series':
        return this.series(syntax, names);
      case 'let':
        return define(names, syntax.name, this.value(syntax.value, names));
      case 'block':
        return syntax.statements.reduce<Value>((_, statement) => this.value(statement, names), null);
    }
  }

  private named(name: string, names: Names): Value {
    const value = names.find(name, this.work);
    if (value !== undefined) return value;
    const builtIn = constantNamed(name) ?? functionNamed(name);
    if (builtIn !== undefined) return builtIn;
    throw withPosition(new FormulaError(`Nothing is called "${name}"`), this.expression, name);
  }

  private unary({ operator, operand }: SyntaxOf<'unary'>, names: Names): Value {
    const { work } = this;
    const value = this.value(operand, names);
    if (operator === 'not') return !isTrue(value);
    return each(value, work, (element) => {
      work.spend(1);
      const number = toNumber(element);
      return operator === 'unaryMinus' ? number.negated() : number;
    });
  }

  private logic({ operator, left, right }: SyntaxOf<'logic'>, names: Names): Value {
    const first = isTrue(this.value(left, names));
    if (operator === 'and' && !first) return false;
    if (operator === 'or' && first) return true;
    const second = isTrue(this.value(right, names));
    return operator === 'xor' ? first !== second : second;
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

  /** An end before the start makes an empty sum, 0, or an empty product, 1. */
  private series({ operator, variable, from, to, body }: SyntaxOf<'series'>, names: Names): Value {
    const [first, last] = [toInteger(this.value(from, names)), toInteger(this.value(to, names))];
    if (last - first >= formulaLimits.elements) throw new FormulaError('It adds up too many terms');
    let total: Value = real(operator === 'sum' ? 0 : 1);
    for (let i = first; i <= last; i += 1) {
      const inside = new Names(names);
      inside.define(variable, real(i));
      total = calculate(operator === 'sum' ? 'add' : 'multiply', total, this.value(body, inside), this.work);
    }
    return total;
  }

  private range({ from, step, to }: SyntaxOf<'range'>, names: Names): Value {
    const [first, last] = [toNumber(this.value(from, names)), toNumber(this.value(to, names))];
    const by = step === null ? real(1) : toNumber(this.value(step, names));
    return stepped(first, last, by, this.work);
  }

  /** Elements count from 1; `end` is the last one. */
  private elements(value: Value, [dimension, ...rest]: readonly Syntax[], names: Names): Value {
    if (dimension === undefined) return value;
    if (!isList(value)) throw new FormulaError(`${describe(value)} has no elements`);
    const inside = new Names(names);
    inside.define('end', real(value.length));
    const chosen = this.value(dimension, inside);
    const element = (position: Value): Value => {
      this.work.spend(1);
      const item = value[toInteger(position) - 1];
      if (item === undefined) {
        throw new FormulaError(`There is no element ${describe(position)} in a list of ${String(value.length)}`);
      }
      return this.elements(item, rest, names);
    };
    return isList(chosen) ? chosen.map(element) : element(chosen);
  }

  private field(value: Value, name: string): Value {
    if (!(value instanceof Fields)) throw new FormulaError(`${describe(value)} has no field "${name}"`);
    const json = Object.hasOwn(value.json, name) ? value.json[name] : undefined;
    if (json === undefined) {
      throw withPosition(new FormulaError(`There is no field "${name}"`), this.expression, name);
    }
    return fromJson(json, this.work);
  }

  private call(syntax: SyntaxOf<'call'>, names: Names): Value {
    const { name, args } = syntax;
    const defined = names.find(name, this.work);
    const callable = defined instanceof Callable ? defined : functionNamed(name);
    if (callable === undefined) {
      throw withPosition(new FormulaError(`"${name}" is not a function`), this.expression, name);
    }
    const inline = defined instanceof Callable ? null : inlineBody(syntax);
    const values = args.map((arg) => (arg === inline ? this.inline(arg, names) : this.value(arg, names)));
    try {
      return callable.invoke(values, this.work);
    } catch (error) {
      throw error instanceof FormulaError ? withPosition(error, this.expression, name) : error;
    }
  }

  /** An expression of an element as a function; its value, if it is none. */
  private inline(body: Syntax, names: Names): Value {
    const parameter = inlineParameter(body, (name) => names.find(name, this.work) !== undefined);
    if (parameter === undefined) return this.value(body, names);
    return this.callable({ kind: 'function', name: parameter, parameters: [parameter], body }, names);
  }

  private callable({ name, parameters, body }: SyntaxOf<'function'>, names: Names): Callable {
    const invoke = (args: readonly Value[]): Value => {
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
    };
    return new Callable(name, invoke, parameters.length);
  }
}

function define(names: Names, name: string, value: Value): Value {
  names.define(name, value);
  return value;
}

/**
 * `known` takes precedence over the scope. Throws a `FormulaError` where there is no value or the work exceeds its limit,
 * and `BudgetExceeded`.
 */
export function evaluateSyntax(
  expression: string,
  syntax: Syntax,
  scope: JsonObject,
  work: Work,
  variables?: ReadonlyMap<string, Value>,
): Value {
  try {
    return new Evaluation(expression, work).value(syntax, new Names(scope, variables));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The stack is exhausted. Threads have a larger one, so an evaluation with a budget may still succeed there.
    throw work.budget === undefined ? new FormulaError('It calls itself too deeply') : new BudgetExceeded();
  }
}
