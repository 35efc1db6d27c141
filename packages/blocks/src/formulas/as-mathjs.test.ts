/** The functions of formulas beside those of mathjs, by name and by result. */
import type { Json, JsonObject } from '@blockwork/core/block';
import fc from 'fast-check';
import { evaluate } from 'mathjs';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../test/support/processor-time.js';
import { formula, FormulaError, formulaLimits, formulaProblem, variablesOf } from './index.js';

const value = (expression: string, scope: JsonObject = {}): Json => formula(expression).evaluate(scope);

/** What mathjs gives, its matrices as lists. */
const asMathjs = (expression: string, scope: JsonObject): unknown =>
  JSON.parse(
    JSON.stringify(evaluate(expression, structuredClone(scope)), (_, each: unknown) =>
      typeof each === 'object' && each !== null && 'mathjs' in each && 'data' in each ? each.data : each,
    ),
  ) as unknown;

function expectNear(actual: unknown, wanted: unknown): void {
  if (Array.isArray(wanted)) {
    expect(actual).toHaveLength(wanted.length);
    wanted.forEach((each, i) => {
      expectNear((actual as unknown[])[i], each);
    });
  } else if (typeof wanted === 'number') {
    expect(Math.abs((actual as number) - wanted)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(wanted)));
  } else expect(actual).toEqual(wanted);
}

const scope = {
  x: [3, 1, 2, 5, 2],
  y: [2, 4, 4, 9, 1],
  m: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  a: 0.4,
  n: 6,
};

describe('a function of mathjs gives what mathjs gives', () => {
  it.each(['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'atanh', 'log1p', 'expm1'])(
    '%s',
    (name) => {
      for (const argument of [-0.9, -0.25, 0, 0.1, 0.5, 0.99]) {
        expectNear(value(`${name}(t)`, { t: argument }), asMathjs(`${name}(t)`, { t: argument }));
      }
    },
  );

  it.each(['sec', 'csc', 'cot', 'sech', 'csch', 'coth', 'asec', 'acsc', 'acot', 'acosh', 'sin', 'cos', 'tan', 'atan'])(
    '%s of larger numbers',
    (name) => {
      for (const argument of [1.5, 2, 10]) {
        expectNear(value(`${name}(t)`, { t: argument }), asMathjs(`${name}(t)`, { t: argument }));
      }
    },
  );

  it.each([
    'map(x, sin)',
    'sin(pi / 6) + cos(tau) + phi + LN2 + LN10 + SQRT2 + PI',
    'atan2(1, -2)',
    'atan2(-1, -2)',
    'atan2(3, 0)',
    'atan2(0, 0)',
    'hypot(3, 4)',
    'hypot(x)',
    'norm(x)',
    'dot(x, y)',
    'nthRoot(27, 3)',
    'nthRoot(-32, 5)',
    'nthRoot(2)',
    'floor(1.256, 2) + ceil(1.251, 1) + fix(-1.29, 1)',
    '5! + factorial(0) + 3!^2',
    'factorial([1, 2, 3])',
    'combinations(7, 3)',
    'combinations(50, 25)',
    'permutations(7, 3)',
    'permutations(5)',
    'gcd(12, 18, 27)',
    'gcd(-12, 18)',
    'lcm(4, 6, 10)',
    'mode(x)',
    'mode(1, 2, 2, 3, 3)',
    'mad(x)',
    'variance(x, "uncorrected")',
    'variance(x, "biased")',
    'std(x, "uncorrected")',
    'std(x)',
    'quantileSeq(x, 0.3)',
    'quantileSeq(x, [0, 0.25, 0.5, 1])',
    'quantileSeq(x, 3)',
    'quantileSeq([1, 2, 4], 0.5, true)',
    'corr(x, y)',
    'cumsum(x)',
    'diff(x)',
    'flatten(m)',
    'transpose(m)',
    'range(1, 4)',
    'range(1, 4, false)',
    'range(0, 1, 0.25)',
    'range(5, 1, -2)',
    'range(1, 2, 0.5, false)',
    'zeros(3)',
    'ones(2, 3)',
    'zeros([2, 2])',
    'map(x, f(v) = v ^ 2)',
    'map(x, square)',
    'map(x, v * 10 + a)',
    'map(m, f(v) = v + 1)',
    'map(x, f(v, i) = v * i[1])',
    'map(x, f(v, i, all) = v + all[1])',
    'map(x, y, f(p, q) = p * q)',
    'filter(x, f(v) = v > 2)',
    'filter(x, v >= 2)',
    'filter(x, isPositive)',
    'sum(map(filter(x, v > 1), w / 2))',
    '[isInteger(2.5), isInteger(n), isPositive(n), isNegative(-1), isZero(0)]',
  ])('%s', (expression) => {
    expectNear(value(expression, scope), asMathjs(expression, scope));
  });

  it('of any angle', () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (t) => {
        expectNear(value('[sin(t), cos(t), atan(t), asinh(t)]', { t }), [
          ...[Math.sin(t), Math.cos(t)],
          ...[Math.atan(t), Math.asinh(t)],
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('what mathjs only approximates', () => {
  it.each<[string, Json]>([
    ['sin(pi) == 0', true],
    ['floor(sin(pi))', 0],
    ['cos(pi / 3) == 0.5', true],
    ['floor(2 sin(pi / 6))', 1],
    ['tan(pi / 4) == 1', true],
    ['asin(sin(0.3)) == 0.3', true],
    ['acos(cos(0)) == 0', true],
    ['nthRoot(1000, 3) == 10', true],
    ['30! / 28!', 870],
    ['combinations(60, 30) == 118264581564861424', true],
    ['quantileSeq([0.1, 0.2], 0.5) == 0.15', true],
    ['sum(cumsum([0.1, 0.2, 0.3]))', 1],
  ])('is exact, or as near as its error: %s', (expression, wanted) => {
    expect(value(expression)).toEqual(wanted);
  });
});

describe('an expression of an element', () => {
  it('takes its element by the first name that means nothing else', () => {
    expect(value('g(v) = v * a; map(list, g)', { list: [1, 2], a: 3 })).toEqual([3, 6]);
    expect(value('sin(list)', { list: [0] })).toEqual([0]);
    expect(value('filter(list, v > least)', { list: [1, 2, 3], least: 1 })).toEqual([2, 3]);
    expect(variablesOf('filter(list, v > 2) + map(other, w * factor)')).toEqual(['list', 'other', 'factor']);
    expect(() => value('filter(list, list > 2)', { list: [1, 2, 3] })).toThrow('is not a function');
  });

  it('has the failures of a formula', () => {
    expect(() => value('map(list, 1 / v)', { list: [0] })).toThrow('It divides by zero');
    expect(() => value('map(5, square)')).toThrow('5 is not a list');
    expect(() => value('map(list, other, f(p, q) = p)', { list: [1], other: [1, 2] })).toThrow('different lengths');
    expect(() => value('forEach(list, sqrt)', { list: [-1] })).toThrow('square root');
    expect(value('forEach(list, sqrt)', { list: [4] })).toBeNull();
  });
});

describe('a function of spreadsheets', () => {
  const rows = { q: [4, '2', 9], t: ' Two  words ', none: null, zero: 0 };

  it.each<[string, Json]>([
    ['SUM(q, 5, [1, 2])', 23],
    ['AVERAGE(q) + MEDIAN(q) + MIN(q, 1) + MAX(3, q)', 19],
    ['PRODUCT(q) + SUMSQ(1, 2) + SUMPRODUCT([1, 2], [3, 4])', 88],
    ['[COUNT(1, "a", 3), COUNTA(1, "", none, "x"), MODE(1, 2, 2)]', [2, 2, 2]],
    ['[VAR(1, 3), VARP(1, 3), STDEV(1, 3)^2, STDEVP(1, 3)]', [2, 1, 2, 1]],
    ['[LARGE(q, 1), SMALL(q, 2), PERCENTILE([1, 2, 3, 4], 0.5), QUARTILE([1, 2, 3, 4, 5], 1)]', [9, 4, 2.5, 2]],
    [
      '[ROUND(2.345, 2), ROUND(1250, -2), ROUNDUP(2.301, 2), ROUNDUP(-2.1), ROUNDDOWN(-2.9), TRUNC(2.99, 1)]',
      [2.35, 1300, 2.31, -3, -2, 2.9],
    ],
    ['[INT(-1.5), CEILING(7, 5), FLOOR(7, 5), MROUND(7, 4), CEILING(1.2)]', [-2, 10, 5, 8, 2]],
    ['[MOD(-7, 3), QUOTIENT(-7, 3), POWER(2, 3), SQRT(9), ABS(-1), SIGN(-3)]', [2, -2, 8, 3, 1, -1]],
    [
      '[LN(1), LOG(100), LOG(8, 2), LOG10(1000), EXP(0), FACT(4), COMBIN(5, 2), PERMUT(5, 2), GCD(4, 6), LCM(4, 6)]',
      [0, 2, 3, 3, 1, 24, 10, 20, 2, 12],
    ],
    ['[SIN(PI() / 2), DEGREES(PI()), RADIANS(180) == PI(), ATAN2(1, 1) == PI() / 4]', [1, 180, true, true]],
    ['[IF(zero == 0, 0, 1 / zero), IF(zero > 0, 1 / zero, 2), IF(zero > 0, 1)]', [0, 2, false]],
    [
      '[AND(true, 1, [true]), OR(false, 0), XOR(true, true, true), NOT(0), TRUE(), FALSE()]',
      [true, false, true, true, true, false],
    ],
    ['[ISNUMBER(3), ISNUMBER("3"), ISBLANK(none), VALUE("3.5")]', [true, false, true, 3.5]],
    ['[TRIM(t), UPPER("ab"), LOWER("AB"), LEN(t)]', ['Two words', 'AB', 'ab', 12]],
    [
      '[LEFT("abc", 2), LEFT("abc"), RIGHT("abc", 2), RIGHT("abc", 9), MID("abcd", 2, 2)]',
      ['ab', 'a', 'bc', 'abc', 'bc'],
    ],
    [
      '[CONCATENATE("a", 1, true), CONCAT(["a", "b"], "c"), TEXTJOIN("-", true, "a", "", ["b"]), REPT("ab", 2)]',
      ['a1true', 'abc', 'a-b', 'abab'],
    ],
    [
      '[SUBSTITUTE("a.b.c", ".", "::"), SUBSTITUTE("a", "", "b"), EXACT("a", "A"), FIND("c", "abc"), SEARCH("B", "abc")]',
      ['a::b::c', 'a', false, 3, 2],
    ],
  ])('%s', (expression, wanted) => {
    expect(value(expression, rows)).toEqual(wanted);
  });

  it('never makes up a value', () => {
    for (const failing of [
      'MOD(1, 0)',
      'AVERAGE([])',
      'LARGE(q, 4)',
      'FIND("x", "abc")',
      'MID("a", 0, 1)',
      'SUM("a")',
    ]) {
      expect(() => value(failing, rows), failing).toThrow(FormulaError);
    }
  });
});

describe('whatever is asked of them', () => {
  it.each([
    'factorial(1e9)',
    '300!',
    '(-1)!',
    '2.5!',
    'combinations(1e15, 5e14)',
    'permutations(1e9, 1e9)',
    'permutations(1e15, 1e15 - 1)',
    'combinations(2, 3)',
    'zeros(1e6)',
    'zeros(1e4, 1e4)',
    'zeros(-1)',
    'ones(40000, 40000)',
    'zeros(100, 100, 100)',
    'range(1, 1e9)',
    'range(1, 1e400, 1e-300)',
    'range(1, 2, 0)',
    'range(1, 5, 1, 1)',
    'quantileSeq([1, 2], 1e9)',
    'quantileSeq([1, 2], -1)',
    'sin(1e19)',
    'cosh(1e6)',
    'asin(2)',
    'acosh(0)',
    'atanh(1)',
    'csc(0)',
    'nthRoot(-4, 2)',
    'nthRoot(4, 0)',
    'nthRoot(4, 1e9)',
    'gcd(1.5, 2)',
    'corr([1, 1], [2, 3])',
    'REPT("abc", 1e9)',
    'REPT("abc", -1)',
    'SUBSTITUTE(REPT("a", 50000), "a", REPT("b", 50000))',
    't = "x"; t = REPT(t, 100000); u = TEXTJOIN(t, false, t, t, t)',
    'map(1:50000, f(v) = sum(1:1000))',
    'map(map(1:300, f(v) = 1:300), f(v) = 1:300)',
    'f(n) = map([1, 2], g(v) = f(n)); f(1)',
    'filter(1:50000, f(v) = factorial(100) > v)',
    'map(1:5000, v -> v)',
    'sum(map(1:20000, sin))',
    'sum(map(1:20000, atan))',
    'cumsum(zeros(50000)) + cumsum(zeros(50000)) + cumsum(zeros(50000)) + cumsum(zeros(50000))',
    'transpose([[1, 2], [3]])',
    'mode([[]])',
    'map(sin, sin)',
  ])('%s ends with a FormulaError, and soon', (expression) => {
    expect(processorMs(() => expect(() => value(expression)).toThrow(FormulaError))).toBeLessThan(15_000);
  });

  it('no list or text is longer than the limit', () => {
    const length = fc.oneof(fc.integer({ min: -5, max: 200_000 }), fc.double({ noNaN: true, min: 0, max: 1e300 }));
    const makes = fc.constantFrom(
      'zeros(n)',
      'ones(n, 2)',
      'range(1, n)',
      '1:n',
      'REPT("ab", n)',
      'quantileSeq([1, 2], n)',
      'cumsum(ones(n))',
    );
    fc.assert(
      fc.property(makes, length, (expression, n) => {
        let output: Json = null;
        try {
          output = value(expression, { n });
        } catch (error) {
          expect(error).toBeInstanceOf(FormulaError);
        }
        const size = typeof output === 'string' || Array.isArray(output) ? output.length : 0;
        expect(size).toBeLessThanOrEqual(
          typeof output === 'string' ? formulaLimits.textLength : formulaLimits.elements,
        );
      }),
      { numRuns: 80 },
    );
  });

  it('names of functions are no fields, and unknown ones are told to their author', () => {
    expect(variablesOf('SUM(a, IF(b, c, d)) + sin(q)')).toEqual(['a', 'b', 'c', 'd', 'q']);
    expect(formulaProblem('SUMX(1)')).toBe('There is no function "SUMX" (at character 1)');
  });
});
