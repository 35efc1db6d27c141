/** Formulas as the expressions of calculated fields: JavaScript over the keys of fields. */
import { cellsOf, isFunction } from './evaluate.js';
import { FormulaError, type CellReference, type Formula } from './formula.js';

/** The key of the field whose answer stands in the cell. @throws FormulaError for another cell. */
export type KeyReader = (cell: CellReference) => string;

/** Every part stands in brackets where JavaScript binds it differently. @throws FormulaError */
export function expressionOf(formula: Formula, key: KeyReader): string {
  const write = (part: Formula): string => expressionOf(part, key);
  switch (formula.kind) {
    case 'value':
      return JSON.stringify(formula.value);
    case 'cell':
      return key(formula);
    case 'range':
      throw new FormulaError('a range stands where one value is expected');
    case 'unary':
      return formula.operator === '%'
        ? `(${write(formula.operand)} / 100)`
        : `(${formula.operator}${write(formula.operand)})`;
    case 'binary': {
      const [left, right] = [write(formula.left), write(formula.right)];
      return formula.operator === '&'
        ? `(String(${left}) + String(${right}))`
        : `(${left} ${operators[formula.operator]} ${right})`;
    }
    case 'call': {
      const args = formula.arguments.flatMap((part) =>
        part.kind === 'range' ? cellsOf(part).map(key) : [write(part)],
      );
      const written = Object.hasOwn(calls, formula.name) ? calls[formula.name] : undefined;
      if (written === undefined || !isFunction(formula.name))
        throw new FormulaError(`the function ${formula.name} is not supported`);
      return written(args);
    }
  }
}

const operators = {
  '^': '**',
  '*': '*',
  '/': '/',
  '+': '+',
  '-': '-',
  '=': '===',
  '<>': '!==',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
} as const;

const joined = (sign: string) => (operands: readonly string[]) => `(${operands.join(` ${sign} `)})`;
const math = (name: string) => (operands: readonly string[]) => `Math.${name}(${operands.join(', ')})`;
const concat = (operands: readonly string[]): string => `[${operands.join(', ')}].join('')`;

const calls: Readonly<Record<string, (operands: readonly string[]) => string>> = {
  ABS: math('abs'),
  AND: joined('&&'),
  AVERAGE: (operands) => `((${operands.join(' + ')}) / ${String(operands.length)})`,
  CONCAT: concat,
  CONCATENATE: concat,
  EXACT: ([a = '', b = '']) => `(String(${a}) === String(${b}))`,
  EXP: math('exp'),
  IF: ([test = '', yes = 'true', no = 'false']) => `(${test} ? ${yes} : ${no})`,
  INT: math('floor'),
  LEN: ([text = '']) => `String(${text}).length`,
  LN: math('log'),
  LOG10: math('log10'),
  MAX: math('max'),
  MIN: math('min'),
  MOD: ([x = '', y = '']) => `(${x} - ${y} * Math.floor(${x} / ${y}))`,
  NOT: ([test = '']) => `(!${test})`,
  OR: joined('||'),
  PI: () => 'Math.PI',
  POWER: ([x = '', y = '']) => `(${x} ** ${y})`,
  PRODUCT: joined('*'),
  ROUND: ([x = '', digits = '0']) => `(Math.round(${x} * 10 ** ${digits}) / 10 ** ${digits})`,
  SQRT: math('sqrt'),
  SUM: joined('+'),
};
