import type { Json, JsonObject } from '@blockwork/core/block';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { amount, formula, FormulaError, formulaLimits, formulaProblem, functionNames, variablesOf } from './index.js';

const value = (expression: string, scope: JsonObject = {}): Json => formula(expression).evaluate(scope);
const strictly = (expression: string, scope: JsonObject = {}): Json =>
  formula(expression, { comparison: 'strict' }).evaluate(scope);
const failure = (expression: string, scope: JsonObject = {}): FormulaError => {
  try {
    value(expression, scope);
  } catch (error) {
    if (error instanceof FormulaError) return error;
    throw error;
  }
  throw new Error(`${expression.slice(0, 100)} has a value`);
};

describe('a formula', () => {
  it.each<[string, JsonObject, Json]>([
    ['1', {}, 1],
    ['0.1 + 0.2', {}, 0.3],
    ['-a + +b', { a: '2', b: 5 }, 3],
    ['2 + 3 * 4 ^ 2 / 8 - 7 mod 4', {}, 5],
    ['2 ^ 3 ^ 2', {}, 512],
    ['2 a', { a: 4 }, 8],
    ['8%', {}, 0.08],
    ['true + 1', {}, 2],
    ['+x', { x: ' 1e3 ' }, 1000],
    ['a > 1 and not (b == "no") ? "many" : "few"', { a: 2, b: 'yes' }, 'many'],
    ['0 < x <= 1', { x: 1 }, true],
    ['0 < x <= 1', { x: 0 }, false],
    ['x or 1/0', { x: 1 }, true],
    ['x[2] + x[end]', { x: [1, 20, 300] }, 320],
    ['x[2:end]', { x: [1, 2, 3] }, [2, 3]],
    ['x[2,1]', { x: [[1], [7]] }, 7],
    ['1:3', {}, [1, 2, 3]],
    ['field3.field0 + field3["field1"]', { field3: { field0: 4, field1: '6' } }, 10],
    ['[1, "2", x] * 10', { x: 3 }, [10, 20, 30]],
    ['x + y', { x: [1, 2], y: ['10', '20'] }, [11, 22]],
    ['x * y', { x: [1, 2], y: [3, 4] }, 11],
    ['x .* y', { x: [1, 2], y: [3, 4] }, [3, 8]],
    ['f(a) = 2 a; f(4) + 1', {}, 9],
    ['k = 3; k * x', { x: 2 }, 6],
    ['list', { list: [{ a: 1 }] }, [{ a: 1 }]],
    ['round(2.5) + round(-2.5) + round(1.255, 2)', {}, 1.26],
    [
      '[abs(-1), sign(-3), floor(-1.5), ceil(1.2), fix(-1.7), sqrt(16), cbrt(27), pow(2, 10)]',
      {},
      [1, -1, -2, 2, -1, 4, 3, 1024],
    ],
    ['[exp(0), log(1), log(8, 2), log10(1000), log2(8), mod(-7, 3), square(3), cube(2)]', {}, [1, 0, 3, 3, 3, 2, 9, 8]],
    ['[sum(x), min(x), max(x), mean(x), median(x), prod(x), count(x)]', { x: ['1', 2, 6] }, [9, 1, 6, 3, 2, 12, 3]],
    ['[sum(3, 4), max(1, "7"), sum(5)]', {}, [7, 7, 5]],
    ['sum(x) + sum([])', { x: [] }, 0],
    ['std([1, 3])^2', {}, 2],
    ['size(x)', { x: [[1, 2, 3]] }, [1, 3]],
    ['sort(x)', { x: [10, 9, '8'] }, ['8', 9, 10]],
    ['sort(x, "desc")', { x: [1, 3, 2] }, [3, 2, 1]],
    ['sort(x, compareText)', { x: ['b10', 'b9', 'a'] }, ['a', 'b10', 'b9']],
    ['setDistinct(x)', { x: ['b10', 'b9', 'b10', 2] }, [2, 'b9', 'b10']],
    ['concat("a", name, "c")', { name: 'b' }, 'abc'],
    ['concat([1], x)', { x: [2] }, [1, 2]],
    ['[compare(2, 1), compareText("a", "b"), equalText("a", "a"), x != 2]', { x: '2.0' }, [1, -1, true, false]],
    ['[isNumeric(x), isNumeric([1, "1", true, "a"])]', { x: '1' }, [false, [true, false, true, false]]],
    ['round(2 pi + e, 3)', {}, 9.001],
    ['e * 2', { e: 4 }, 8],
    ['sum == 3', { sum: 3 }, true],
  ])('gives the value of %s in %j', (expression, scope, expected) => {
    expect(value(expression, scope)).toEqual(expected);
  });

  it.each<[string, JsonObject, Json]>([
    ['true==true', {}, true],
    ['reviewer_final == true', { reviewer_final: true }, true],
    ['reviewer_final == true', { reviewer_final: 'true' }, false],
    ['status == "Approved"', { status: 'Approved' }, true],
    ['field5 == 5', { field5: '5' }, false],
    ['field5 != 5', { field5: '5' }, true],
    ['field5 > 4', { field5: '5' }, true],
    ['"10" < "9"', {}, true],
    ['x == 1', { x: [1] }, false],
    ['x > 0', { x: [1] }, true],
    ['x > 0', { x: [1, 2] }, false],
    ['x == x', { x: [1, 2] }, true],
    ['x > 0', { x: 'text' }, false],
    ['a - 0.1 == 0.2', { a: 0.3 }, true],
  ])('compares %s in %j as JavaScript would, where that is asked for', (expression, scope, expected) => {
    expect(strictly(expression, scope)).toBe(expected);
  });

  it('compares numbers and numbers in text by value otherwise', () => {
    expect(value('field5 == 5', { field5: '5.0' })).toBe(true);
    expect(value('x == 1', { x: [1, '1', 'one'] })).toEqual([true, true, false]);
  });

  it.each([
    ['option.status2 == APPROVED', 'Nothing is called "option"', 1],
    ['1 + missing * 2', 'Nothing is called "missing"', 5],
    ['1 +', 'Unexpected end of expression', 4],
    ['', 'It is empty', null],
    ['1/0', 'It divides by zero', null],
    ['sqrt(-1)', 'There is no square root of -1', 1],
    ['"a" + 1', 'the text "a" is not a number', null],
    ['x + 1', 'null is not a number', null],
    ['mean(list)', 'The list is empty', 1],
    ['pair[3]', 'There is no element 3 in a list of 2', null],
    ['pair + [1,2,3]', 'A list of 2 and one of 3 do not go together', null],
    ['f(a)=a', 'It gives a function, not a value', null],
    ['10 kg', 'Nothing is called "kg"', 4],
    ['max(pair, 0)', 'After a list nothing else can follow', 1],
    ['pair.f(2)', 'Only functions with a name can be called', null],
  ])('says what is wrong with %s', (expression, reason, position) => {
    const error = failure(expression, { x: null, list: [], pair: [1, 2] });
    expect({ reason: error.reason, position: error.position }).toEqual({ reason, position });
  });

  it('names what it takes from its scope', () => {
    expect(variablesOf('sum(a) + b[end] * sqrt(c) + pi')).toEqual(['a', 'b', 'c']);
    expect(variablesOf('c(x, y) = compareText(x, y); sort(d, c)')).toEqual(['d']);
  });

  it('has no function that its page does not name', () => {
    const page = readFileSync(new URL('../../../../docs/formulas.md', import.meta.url), 'utf8');
    const named = new Set(page.match(/\w+/g));
    expect(functionNames.filter((name) => !named.has(name))).toEqual([]);
  });

  it('tells authors what cannot be evaluated, whatever the scope', () => {
    expect(formulaProblem('field1 / 1000')).toBeNull();
    expect(formulaProblem('random(3)')).toBe('There is no function "random" (at character 1)');
    expect(formulaProblem("5'")).toBe("The operator ' cannot be used");
  });
});

describe('an amount', () => {
  it('is exact decimal text', () => {
    expect(amount('a + b', { a: 0.1, b: '0.2' })).toBe('0.3');
    expect(amount('cumulative * 1000000000', { cumulative: 1.000000001 })).toBe('1000000001');
    expect(amount('x', { x: '12345678901234567890.123456789' })).toBe('12345678901234567890.123456789');
    expect(amount('1e21', {})).toBe('1000000000000000000000');
  });

  it.each(['"12 kg"', '[1]', 'true', '1/0', 'x', '"NaN"', 'null'])('is never made of %s', (expression) => {
    expect(() => amount(expression, {})).toThrow(FormulaError);
  });

  it('is the same however the parts of a sum are ordered', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.integer().map((n) => n / 1e6),
          { minLength: 1 },
        ),
        (list) => {
          const reversed = [...list].reverse();
          expect(amount('sum(x)', { x: list })).toBe(amount('sum(x)', { x: reversed }));
        },
      ),
    );
  });

  it('of whole numbers is what whole numbers give', () => {
    const whole = fc.bigInt(-(10n ** 25n), 10n ** 25n);
    fc.assert(
      fc.property(whole, whole, whole, (a, b, c) => {
        const scope = { a: String(a), b: String(b), c: String(c) };
        expect(amount('a * b + c - a', scope)).toBe(String(a * b + c - a));
      }),
    );
  });
});

describe('an attack by formula', () => {
  const nest = (count: number, open: string, close = ''): string => open.repeat(count) + '1' + close.repeat(count);
  const attacks: [string, string][] = [
    ['a huge list', 'zeros(1e4, 1e4)'],
    ['a huge range', '1:1e9'],
    ['a range that never ends', '1:1e-300:2'],
    ['a range of huge numbers', '1:1e400'],
    ['a factorial', '1e6!'],
    ['a function of the library', 'combinations(1e9, 5e8)'],
    ['import', 'import({a: 1})'],
    ['createUnit', 'createUnit("foo")'],
    ['evaluate', 'evaluate("1+1")'],
    ['parse', 'parse("1+1")'],
    ['config', 'config({})'],
    ['the constructor of a number', '(1).constructor'],
    ['the constructor of a text', '"a".constructor("return process")()'],
    ['a method', 'x.toString()'],
    ['the prototype by name', 'constructor'],
    ['the prototype by field', 'x.__proto__'],
    ['the prototype by index', 'x["constructor"]'],
    ['a member of a list', '[1,2].length'],
    ['a change of the scope', 'x.a = 2'],
    ['an object', '{a: 1}'],
    ['a recursion', 'f(f) = f(f)'],
    ['a recursion that is called', 'f(n) = f(n + 1); f(1)'],
    ['a recursion that branches', 'f(n) = n <= 0 ? 1 : f(n - 1) + f(n - 1); f(60)'],
    ['a function that calls its argument', 'f(g) = g(g); f(f)'],
    ['many parentheses', nest(4000, '(', ')')],
    ['many signs', nest(9000, '-')],
    ['many powers', '2' + '^2'.repeat(4000)],
    ['many lists', nest(4000, '[', ']')],
    ['many choices', '1' + '?1:1'.repeat(2400)],
    ['a long text', `"${'a'.repeat(20_000)}"`],
    ['a text that doubles', 'a = "xxxxxxxxxx"; ' + 'a = concat(a, a); '.repeat(40) + 'a'],
    ['a list that doubles', 'a = [1,2,3,4,5]; ' + 'a = concat(a, a); '.repeat(40) + 'a'],
    ['a tower of powers', '9^9^9^9'],
    ['a huge number', '1e300 * 1e300'],
    ['a huge constant', '1e999999999'],
    ['a small power of a small base', '(1 + 1e-60) ^ 1e300'],
    ['much work', 'f(n) = n <= 0 ? 1 : exp(n) + f(n - 1) + f(n - 2); f(90)'],
    ['a sort that compares slowly', 'g(a, b) = sum(1:1000) + a - b; sort(1:1000, g)'],
    ['a list of copies', 'a = 1:10000; [a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]'],
  ];

  it.each(attacks)('by %s ends with a FormulaError', (_, expression) => {
    expect(failure(expression, { x: { a: 1 } })).toBeInstanceOf(FormulaError);
  });

  it('by the scope finds nothing but own fields', () => {
    const scope = JSON.parse('{"__proto__": {"polluted": 1}, "x": {"__proto__": 5}}') as JsonObject;
    expect(value('x["__proto__"]', scope)).toBe(5);
    expect(failure('polluted', scope).reason).toBe('Nothing is called "polluted"');
    expect(failure('toString', scope).reason).toBe('Nothing is called "toString"');
  });

  it('by a long list in the scope is refused', () => {
    expect(failure('sum(x)', { x: Array<number>(formulaLimits.elements + 1).fill(1) }).reason).toBe(
      'A list is too long',
    );
  });

  it('by a deep list in the scope is refused', () => {
    let deep: Json = 1;
    for (let i = 0; i < 5_000; i += 1) deep = [deep];
    expect(failure('sum(x)', { x: deep }).reason).toBe('It calls itself too deeply');
  });

  it('by any text ends with a value or a FormulaError', () => {
    const token = fc.constantFrom(
      ...'1 2.5 a b x f ( ) [ ] , ; : = == < > + - * / ^ .* ! ? " \' . sum sort compareText end true not and or mod % 1e9 {'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 25 }), (tokens) => {
        try {
          value(tokens.join(' '), { a: 3, b: ['1', 2], x: { a: 1 } });
        } catch (error) {
          expect(error).toBeInstanceOf(FormulaError);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
