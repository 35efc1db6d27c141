import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@blockwork/core/block';
import { latexProblems, solveLatex, type LatexItem } from './latex-items.js';

const variable = (name: string, body: string): LatexItem => ({ name, body, parameters: null });
const fn = (name: string, parameters: string[], body: string): LatexItem => ({ name, body, parameters });

/** The value of one formula, or why it has none. */
function value(body: string, scope: JsonObject = {}): Json | undefined {
  const { values, failures } = solveLatex([variable('result', body)], scope);
  return failures[0]?.error.reason ?? values.result;
}

describe('a formula in LaTeX', () => {
  it.each<[string, Json, JsonObject?]>([
    [String.raw`0.1+0.2`, 0.3],
    [String.raw`2\cdot3-4/2\times5`, -4],
    [String.raw`\frac{1}{4}+\frac12+\dfrac{3}{4}`, 1.5],
    [String.raw`2(3+4)`, 14],
    [String.raw`-2^{2}`, -4],
    [String.raw`2^{-1}`, 0.5],
    [String.raw`1.5\cdot10^{3}`, 1500],
    [String.raw`\sqrt{16}+\sqrt[3]{27}`, 7],
    [String.raw`\left|2-5\right|`, 3],
    [String.raw`\lfloor 2.7 \rfloor+\lceil 2.1\rceil`, 5],
    [String.raw`50\%`, 0.5],
    [String.raw`\max(1,\min(5,3),2)`, 3],
    [String.raw`\max\{1,4\}`, 4],
    [String.raw`\ln(\exponentialE)+\log(100)+\log_{2}8`, 6],
    [String.raw`\sin(0)+\cos 0+\arctan(0)+\tanh(0)`, 1],
    [String.raw`\sum_{i=1}^{4} i^{2}`, 30],
    [String.raw`\sum_{i=1}^{0} i`, 0],
    [String.raw`\prod_{k=1}^{4} k`, 24],
    [String.raw`\operatorname{a}*\operatorname{b}`, 6, { a: 2, b: '3' }],
    [String.raw`\mathrm{area}\cdot h`, 6, { area: 2, h: 3 }],
    [String.raw`efcm+1`, 3, { efcm: 2 }],
    [String.raw`ab`, 6, { a: 2, b: 3 }],
    [String.raw`EF_{y}\cdot x_1`, 8, { EF_y: 2, x_1: 4 }],
    [String.raw`\sum_{i=1}^{\operatorname{size}(x)}x_i`, 6, { x: [1, 2, 3] }],
    [String.raw`\sum_{i=1}^{3} x_{i} \cdot y_{i}+1`, 33, { x: [1, 2, 3], y: [4, 5, 6] }],
    [String.raw`1 \le 2 < 3`, true],
    [String.raw`a=1 \land \neg(b \ne 2)`, true, { a: 1, b: 2 }],
    [String.raw`\begin{cases} 1 & a > 10 \\ 2 & a > 4 \\ 3 & a \le 4 \end{cases}`, 2, { a: 5 }],
    [String.raw`\begin{cases} 1/a & a \ne 0 \\ 0 & \text{otherwise} \end{cases}`, 0, { a: 0 }],
    [
      String.raw`\mathrm{EqualString}\left(\mathrm{kind},\ \text{dry_or_flash}\right)\cdot 7`,
      7,
      { kind: 'dry_or_flash' },
    ],
    [String.raw`\mathrm{EqualString}(\mathrm{kind},\text{binary})\cdot 7`, 0, { kind: null }],
  ])('%s is %j', (body, expected, scope) => {
    expect(value(body, scope)).toEqual(expected);
  });

  it.each<[string, string, JsonObject?]>([
    ['1/0', 'It divides by zero'],
    ['', 'It is empty'],
    ['1+', 'It ends where a value must follow'],
    ['1)', '")" is not expected there'],
    ['(1', 'It has its end where ")" must be'],
    ['{1', 'It has a brace { that is not closed'],
    ['1}', 'It has a brace } that was not opened'],
    ['a+1', 'Nothing is called "a"'],
    ['a+1', 'null is not a number', { a: null }],
    [String.raw`\operatorname{f}(2)`, 'There is no function "f"'],
    [String.raw`\int x`, '"int" cannot be used there', { x: 1 }],
    [String.raw`\placeholder{}`, 'A part of it is not filled in'],
    [String.raw`\begin{matrix} 1 \end{matrix}`, 'The environment "matrix" cannot be used'],
    [String.raw`\sum_{i=1}^{60000} i`, 'It adds up too many terms'],
    [String.raw`\sum_{i=1}^{999}\sum_{k=1}^{999} i`, 'It takes too much work'],
    ['{'.repeat(60) + '1' + '}'.repeat(60), 'It is nested too deeply'],
    ['('.repeat(3_000), 'It is nested too deeply'],
    ['1+'.repeat(3_000) + '1', 'It is longer than 4000 characters'],
    ['2^{9999}', 'A number is too large'],
  ])('%j has no value: %s', (body, reason, scope) => {
    expect(value(body, scope)).toBe(reason);
  });
});

describe('formulas in LaTeX that use each other', () => {
  it('are solved in the order in which they need each other, and stay exact between them', () => {
    const items = [
      variable('total', String.raw`3\cdot third`),
      variable('third', String.raw`\frac{1}{3}`),
      variable('area', String.raw`\operatorname{square}(a+1)`),
      fn('square', ['x'], 'x^2'),
    ];
    expect(solveLatex(items, { a: 2 })).toEqual({ values: { third: 1 / 3, total: 1, area: 9 }, failures: [] });
  });

  it('fail with those that they need, and never take a value of the scope instead', () => {
    const { values, failures } = solveLatex([variable('a', '1/0'), variable('b', 'a+1'), variable('c', '2')], { a: 5 });
    expect(values).toEqual({ c: 2 });
    expect(failures.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('cannot need themselves', () => {
    const items = [variable('a', 'b+1'), variable('b', 'a+1'), fn('f', ['x'], String.raw`\operatorname{f}(x)`)];
    expect(latexProblems(items, []).map(({ name }) => name)).toEqual(['b', 'a', 'f']);
  });

  it('are told apart by what is wrong with them', () => {
    const problems = latexProblems([variable('a', 'x+y'), variable('b', '('), variable('c', 'x')], ['x']);
    expect(problems.map(({ name, error }) => [name, error.reason])).toEqual([
      ['a', 'Nothing is called "y"'],
      ['b', 'It ends where a value must follow'],
    ]);
  });
});
