import { BlockworkError } from '@blockwork/core';
import type { Json, JsonObject } from '@blockwork/core/block';
import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ThreadPool } from '../../threads/index.js';
import { solveLatex } from '../evaluate/index.js';
import { amount, formula, FormulaError, FormulaRunner, solve, type Equation } from '../index.js';
import type { FormulaCaller } from './formula-runner.js';

const threads = new ThreadPool({ size: 2 });
afterAll(() => threads.close());

/** More than any formula may take: everything is calculated in the main thread. */
const inline = new FormulaRunner({ formulas: { inlineSteps: 10_000_000 }, threads });
const threaded = new FormulaRunner({ formulas: { inlineSteps: 0 }, threads });

const evaluate = (expression: string, scope: JsonObject) => formula(expression).evaluate(scope);
const evaluateStrictly = (expression: string, scope: JsonObject) =>
  formula(expression, { comparison: 'strict' }).evaluate(scope);

const blockOf = (policyId: string): FormulaCaller => ({
  policy: { id: policyId },
  fail(code, { facts, cause }) {
    throw new BlockworkError(code, { facts: { ...facts, policyId, tag: 'block' }, cause });
  },
});
const block = blockOf('p');

/** The result or the error as text, which tells -0 from 0. */
async function textOf(calculate: () => unknown): Promise<string> {
  let outcome: unknown;
  try {
    outcome = await calculate();
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    outcome = { name: error.name, message: error.message, reason: error.reason, position: error.position };
  }
  return JSON.stringify(plain(outcome), (_, value: unknown) => (Object.is(value, -0) ? '-0' : value));
}

/** Errors within a solution as data: an error's stack says where it was made. */
const plain = (outcome: unknown): unknown =>
  typeof outcome === 'object' && outcome !== null && 'failures' in outcome
    ? {
        ...outcome,
        failures: (outcome.failures as { error: FormulaError }[]).map(({ error, ...equation }) => ({
          ...equation,
          reason: error.reason,
          position: error.position,
        })),
      }
    : outcome;

/** Without a runner, with one in the main thread, and with one in a thread. */
async function expectSame(
  direct: () => unknown,
  calculate: (runner: FormulaRunner) => Promise<unknown>,
): Promise<void> {
  const expected = await textOf(direct);
  expect(await textOf(() => calculate(inline))).toBe(expected);
  expect(await textOf(() => calculate(threaded))).toBe(expected);
}

const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant(-0));
const leaf = fc.oneof(number, number.map(String), fc.string({ maxLength: 5 }), fc.boolean(), fc.constant(null));
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
}));
const scope = fc.dictionary(fc.constantFrom('a', 'b', 'x', 'sum', 'e', 'f', 'unused', '__proto__'), json, {
  maxKeys: 6,
}) as fc.Arbitrary<JsonObject>;
const expression = fc.constantFrom(
  ...['a', 'x', 'a + b', '-a', 'sum(x)', 'sum + 1', 'e * 2', 'sort(x)', 'x[1]', 'x.a', 'x["__proto__"]', '1 +', '1/0'],
  ...['f(n) = n + a; f(b)', 'a > b ? x : a', 'concat(a, b)', 'setDistinct(x)', 'missing', 'f(2)', 'a .^ 0.5', 'x == a'],
);

describe('a calculation in a thread', () => {
  it('has the same result as in the main thread, byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(expression, scope, (text, scope) =>
        expectSame(
          () => evaluate(text, scope),
          (runner) => runner.value(block, text, scope),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(expression, fc.array(scope, { maxLength: 4 }), (text, scopes) =>
        expectSame(
          () => scopes.map((each) => amount(text, each)),
          (runner) => runner.amounts(block, text, scopes),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(expression, scope, (text, scope) =>
        expectSame(
          () => Boolean(evaluateStrictly(text, scope)),
          (runner) => runner.holds(block, text, scope),
        ),
      ),
    );
  });

  it('has the same solutions and failures of equations', async () => {
    const equation: fc.Arbitrary<Equation> = fc.record({
      variable: fc.constantFrom('a', 'b', 'x', '__proto__'),
      formula: expression,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(equation, { maxLength: 6 }), scope, (equations, scope) =>
        expectSame(
          () => solve(equations, scope),
          (runner) => runner.solve(block, equations, scope),
        ),
      ),
    );
  });

  it.each<[string, string, JsonObject]>([
    ['steps', 'f(n) = n <= 0 ? 1 : f(n - 1) + f(n - 1); f(60)', {}],
    ['depth', 'f(n) = f(n + 1); f(1)', {}],
    ['elements', 'sum(x)', { x: Array<number>(50_001).fill(1) }],
    ['text length', 'concat(x, x)', { x: 'x'.repeat(60_000) }],
    ['numbers', 'x * x', { x: 1e300 }],
  ])('fails with the same error at the limit of %s', async (_, text, scope) => {
    await expect(threaded.value(block, text, scope)).rejects.toThrow(FormulaError);
    await expectSame(
      () => evaluate(text, scope),
      (runner) => runner.value(block, text, scope),
    );
  });

  it('has the same values and failures of formulas in LaTeX', async () => {
    const items = [
      { name: 'third', body: String.raw`\frac{a}{3}`, parameters: null },
      { name: 'square', body: 'x^2', parameters: ['x'] },
      { name: 'total', body: String.raw`\sum_{i=1}^{500}\operatorname{square}(i)+third`, parameters: null },
      { name: 'broken', body: '1/(a-a)', parameters: null },
    ];
    await expectSame(
      () => solveLatex(items, { a: '0.1' }),
      (runner) => runner.solveLatex(block, items, { a: '0.1' }),
    );
  });

  it('starts where the budget of the main thread ends, and not before', async () => {
    // No data at all may be passed to a thread, so a calculation that needs one fails.
    const runner = new FormulaRunner({ formulas: { inlineSteps: 1_000, dataBytes: 1 }, threads });
    expect(await runner.value(block, 'sum(1:200)', {})).toBe(20_100);
    await expect(runner.value(block, 'sum((1:200) .^ 2)', {})).rejects.toThrow('more than 1 bytes of data');
    await expect(runner.value(block, 'count(x)', { x: Array<number>(2_000).fill(1) })).rejects.toThrow('more than 1');
    const scopes = Array.from({ length: 400 }, () => ({ a: 1 }));
    await expect(runner.amounts(block, 'a + a + a', scopes)).rejects.toThrow('more than 1 bytes of data');
  });
});

/** Equations that would take half an hour together. */
const endless: Equation[] = Array.from({ length: 2_000 }, (_, at) => ({
  variable: `v${String(at)}`,
  formula: 'sum((1:2000) .^ 1.37)',
}));

describe('the limits of a calculation in a thread', () => {
  const stopped = (runner: FormulaRunner, equations: Equation[], scope: JsonObject = {}) =>
    expect(runner.solve(block, equations, scope)).rejects;

  it('end it at its time, and the next one works', async () => {
    const runner = new FormulaRunner({ formulas: { milliseconds: 50 }, threads: new ThreadPool({ size: 1 }) });
    await stopped(runner, endless).toMatchObject({
      code: 'FORMULA_STOPPED',
      facts: { reason: 'it takes longer than 50 ms' },
    });
  });

  it('end it at the memory of a thread', async () => {
    const lists = Array.from({ length: 200 }, (_, at) => ({ variable: `v${String(at)}`, formula: 'x * 1' }));
    const x = Array.from({ length: 40_000 }, (_, at) => at / 7);
    const runner = new FormulaRunner({ formulas: { milliseconds: 600_000 }, threads });
    await stopped(runner, lists, { x }).toMatchObject({
      code: 'FORMULA_STOPPED',
      facts: { reason: 'it needs more memory than a thread has' },
    });
    expect(await threaded.value(block, '1 + 1', {})).toBe(2);
  });

  it('refuse more data than may be passed to it', async () => {
    const runner = new FormulaRunner({ formulas: { dataBytes: 10_000 }, threads });
    const x = Array.from({ length: 20_000 }, (_, at) => at);
    await expect(runner.value(block, 'sum(x)', { x })).rejects.toThrow('It is given more than 10000 bytes of data');
    expect(await runner.value(block, 'a', { a: 1, x })).toBe(1);
  });
});

it.each(['one after the other', 'at once'])(
  'many small calculations %s let the event loop turn in between',
  async (how) => {
    const runner = new FormulaRunner({ formulas: { inlineSteps: 1_000 }, threads });
    const seen = new Set<number>();
    const turning = new AbortController();
    let at = 0;
    const turn = async (): Promise<void> => {
      while (!turning.signal.aborted) {
        seen.add(at);
        await setImmediate();
      }
    };
    // About 300 steps: the fourth is the last one that the main thread calculates on end.
    const calculate = async (): Promise<void> => {
      expect(await runner.value(block, 'sum(1:140)', {})).toBe(9_870);
      at += 1;
    };
    const turned = turn();
    if (how === 'at once') await Promise.all(Array.from({ length: 40 }, calculate));
    else for (let each = 0; each < 40; each += 1) await calculate();
    turning.abort();
    await turned;
    expect(seen.size).toBeGreaterThanOrEqual(8);
  },
);

it('policies take turns, however many calculations one of them has waiting', async () => {
  const one = new ThreadPool({ size: 1 });
  const runner = new FormulaRunner({ formulas: { inlineSteps: 0 }, threads: one });
  const order: string[] = [];
  const calculate = async (policyId: string): Promise<void> => {
    await runner.value(blockOf(policyId), '1 + 1', {});
    order.push(policyId);
  };
  await Promise.all([...Array<string>(4).fill('busy'), 'calm'].map(calculate));
  expect(order.indexOf('calm')).toBeLessThanOrEqual(2);
  await one.close();
});

it('options that are not known, or of the wrong type, are refused', () => {
  const make = (options: object) => () => new FormulaRunner(options, 'switchBlock');
  expect(make({ thread: threads })).toThrow('switchBlock: thread cannot be used: there is no such option');
  expect(make({ threads: 2 })).toThrow('it must be a ThreadPool');
  expect(make({ formulas: { inlineSteps: -1 } })).toThrow('formulas.inlineSteps cannot be used');
  expect(() => new ThreadPool({ size: 0 })).toThrow('thread pool: size cannot be used');
});
