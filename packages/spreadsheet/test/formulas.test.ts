/** Formulas by the grammar of spreadsheets: their results, and the expressions and conditions that they become. */
import { comparison, type Condition } from '@blockwork/contract/schema-model';
import {
  conditionOf,
  evaluate,
  expressionOf,
  formulaOf,
  FormulaError,
  parseFormula,
  type Value,
} from '@blockwork/spreadsheet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const cells: Readonly<Record<string, Value>> = { A1: 3, A2: 5, A3: 'Text', A4: true, B1: 0.5 };
const read = ({ column, row }: { column: string; row: number }): Value => cells[`${column}${String(row)}`];
const result = (formula: string): Value => evaluate(parseFormula(formula), read);

describe('a formula', () => {
  it.each<[string, Value]>([
    ['A1^2', 9],
    ['-2^2', 4],
    ['2^3^2', 64],
    ['2^-1', 0.5],
    ['10%', 0.1],
    ['(A1+A2)*2', 16],
    ['1+2*3-4/2', 5],
    ['IF(A1=1,2,3)', 3],
    ['IF(A1<>1,"a""b","c")', 'a"b'],
    ['A1&" t"', '3 t'],
    ['A3="text"', true],
    ['EXACT(A3,"text")', false],
    ['SUM($A$1:$B$2)', 8.5],
    ["SUM('Sheet 1'!A1:A2)", 8],
    ['AND(A4,A1>2,NOT(FALSE))', true],
    ['ROUND(2.345,2)', 2.35],
    ['ROUND(-2.5,0)', -3],
    ['MAX(A1:A3)&MIN(A1,A2)', '53'],
    ['MOD(-1,3)', 2],
    ['C9+1', 1],
    ['1=1=TRUE', true],
    ['1.5e2', 150],
  ])('%s gives %j', (formula, expected) => {
    expect(result(formula)).toBe(expected);
  });

  it.each([
    'A1/0',
    'A1+',
    '(1',
    '#REF!+1',
    'NOW()',
    'A1;A2',
    'rate*2',
    'A1:A2',
    '1 2',
    'A3*2',
    'SQRT(-1)',
    `${'('.repeat(100)}1`,
    'x'.repeat(9000),
  ])('%s is refused', (formula) => {
    expect(() => result(formula)).toThrow(FormulaError);
  });

  it('becomes an expression with the same result', () => {
    const number = fc.oneof(fc.integer({ min: 1, max: 9 }).map(String), fc.constantFrom('A1', 'A2', 'B1'));
    const { formula } = fc.letrec<{ formula: string }>((tie) => ({
      formula: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.tuple(tie('formula'), fc.constantFrom('+', '-', '*'), tie('formula')).map((parts) => parts.join('')),
        fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `IF((${a})>(${b}),(${a}),-(${b}))`),
        tie('formula').map((a) => `(${a})`),
        number.map((a) => `-${a}^2`),
        fc.tuple(number, number).map(([a, b]) => `MAX(${a},${b})`),
      ),
    }));
    fc.assert(
      fc.property(formula, (written) => {
        const tree = parseFormula(written);
        const code = expressionOf(tree, ({ column, row }) => String(cells[`${column}${String(row)}`]));
        // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the expression is JavaScript
        expect(new Function(`return ${code}`)()).toBeCloseTo(Number(result(written)), 6);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a condition', () => {
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      fc
        .tuple(fc.constantFrom('a', 'b'), fc.oneof(fc.string(), fc.nat(), fc.boolean()))
        .map((compared) => comparison(...compared)),
      fc.record({
        kind: fc.constantFrom('all' as const, 'any' as const),
        of: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), of: tie('condition').filter(({ kind }) => kind !== 'not') }),
    ),
  }));

  it('is the same through a formula', () => {
    const rows = new Map([
      ['a', 5],
      ['b', 6],
    ]);
    fc.assert(
      fc.property(condition, (each) => {
        const formula = formulaOf(each, (key) => `G${String(rows.get(key))}`) ?? '';
        expect(conditionOf(parseFormula(formula), ({ row }) => (row === 5 ? 'a' : 'b'))).toEqual(each);
      }),
      { numRuns: 200 },
    );
  });

  it('on a nested field, or on one of several answers, has no formula', () => {
    const [test] = [comparison('a', 1)];
    expect(formulaOf({ ...test, path: ['a', 'b'] }, () => 'G5')).toBeUndefined();
    expect(formulaOf({ ...test, of: 'any' }, () => 'G5')).toBeUndefined();
  });

  it.each(['G5>3', 'IF(G5,1,2)', 'G5', 'EXACT(G5,G6)', 'AND(TRUE)', 'NOT()'])('%s is none', (formula) => {
    expect(() => conditionOf(parseFormula(formula), () => 'a')).toThrow(FormulaError);
  });
});
