import type { Json } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { scriptLimits, type ScriptLimits } from './limits.js';
import { runScript, type ScriptArguments } from './run-script.js';
import { ScriptError } from './script-error.js';

const scriptArguments: ScriptArguments = { documents: [], user: {}, artifacts: [], now: 1_700_000_000_000, seed: 7 };

async function run(
  source: string,
  args: Partial<ScriptArguments> = {},
  code: readonly string[] = [],
  limits: Partial<ScriptLimits> = {},
): Promise<Json> {
  const result = await runScript(source, code, JSON.stringify({ ...scriptArguments, ...args }), {
    ...scriptLimits(),
    // What ends by itself has all the time that a busy machine needs.
    milliseconds: 60_000,
    ...limits,
  });
  return JSON.parse(result) as Json;
}

async function failure(source: string, limits = {}): Promise<ScriptError> {
  try {
    await run(source, {}, [], limits);
  } catch (error) {
    if (error instanceof ScriptError) return error;
    throw error;
  }
  throw new Error('The script has a result');
}

describe('a script', () => {
  it('works on the documents, the user and the artifacts, and says what is done', async () => {
    const source = 'done({ sum: documents[0].a + artifacts[1][0], who: user.did, same: this === documents });';
    expect(await run(source, { documents: [{ a: 1 }], artifacts: [{}, [41]], user: { did: 'did:x' } })).toEqual({
      sum: 42,
      who: 'did:x',
      same: true,
    });
  });

  it('can use code of artifacts, return early, and end with a comment', async () => {
    expect(
      await run('if (twice(2) === 4) { done([1]); return; }\ndone([2]); // end', {}, ['const twice = (n) => n * 2;']),
    ).toEqual([1]);
  });

  it('can wait for promises', async () => {
    expect(await run('(async () => { const a = await Promise.resolve(3); done(a + 1); })();')).toBe(4);
  });

  it('has the formulas of policies at hand', async () => {
    expect(
      await run('done([mathjs.evaluate("a + 0.2", { a: 0.1 }), mathjs.sum([1, 2]), mathjs.round(2.345, 2)])'),
    ).toEqual([0.3, 3, 2.35]);
    expect(
      await run(
        'done([mathjs.map([[1], [2]], (x, at) => x * 10 + at[1]), mathjs.filter([1, 2, 3], (x) => x > 1), mathjs.sort([1, 3, 2], (a, b) => b - a), mathjs.range(0, 3), mathjs.range(0, 3, true), mathjs.factorial(4)])',
      ),
    ).toEqual([[[10], [20]], [2, 3], [3, 2, 1], [0, 1, 2], [0, 1, 2, 3], 24]);
    expect(await run('done([formulajs.SUM([1, 2], 3), formulajs.IF(true, "a", "b"), typeof mathjs.SUM])')).toEqual([
      6,
      'a',
      'undefined',
    ]);
    expect((await failure('mathjs.zeros(1e6)')).message).toMatch(/A list is too long/);
    expect((await failure('\nmathjs.evaluate("random(3)")')).message).toMatch(/There is no function "random".*line 2/);
  });

  it('gives the same each time it is run', async () => {
    const source = 'done([Math.random(), Math.random(), Date.now(), new Date().toISOString(), new Date(0).getTime()]);';
    const first = await run(source);
    expect(first).toEqual(await run(source));
    expect(first).toMatchObject([
      expect.any(Number),
      expect.any(Number),
      1_700_000_000_000,
      '2023-11-14T22:13:20.000Z',
      0,
    ]);
    expect(await run(source, { seed: 8 })).not.toEqual(first);
  });

  it('has the result of its first call of done', async () => {
    expect(await run('done(1); done(2);')).toBe(1);
  });

  it.each([
    ['syntax', 'let a = 1;\nlet b = ;', /SyntaxError/, 2],
    ['a missing member', 'const a = {};\n\n  a.b.c;', /TypeError/, 3],
    ['what it throws in a function', 'function f() {\n  throw new Error("no good");\n}\nf();', /no good/, 2],
    ['what it throws on its first line', 'throw new Error("at once");', /at once/, 1],
    ['what a promise throws', '\n\n(async () => { await 1; done(undefinedName); })(); ', /never called done/, null],
    ['no result', 'const a = 1;', /never called done/, null],
    ['an empty result', 'done();', /nothing that can be written/, null],
    ['a function for a result', 'done(() => 1);', /nothing that can be written/, null],
    ['a circle for a result', 'const a = {}; a.a = a;\ndone(a);', /circular/, 2],
  ])('names the place of %s', async (_, source, message, line) => {
    const error = await failure(source);
    expect(error.message).toMatch(message);
    expect(error.line).toBe(line);
  });

  it('names columns of its first line as the author sees them', async () => {
    expect((await failure('let x = 1; x.y.z;')).column).toBeGreaterThan(10);
    expect((await failure('let x = 1; x.y.z;')).column).toBeLessThan(18);
  });

  it('counts lines from the first of its own, whatever stands before it', async () => {
    await expect(run('\nmissing();', {}, ['const a = 1;\nconst b = 2;'])).rejects.toMatchObject({ line: 2 });
  });
});

describe('a hostile script', () => {
  it.each([
    ['an endless loop', 'while (true) {}'],
    ['an endless chain of promises', 'const f = () => Promise.resolve().then(f); f();'],
    ['a slow expression', '/^(a+)+$/.test("a".repeat(40) + "b");'],
  ])('is stopped in %s', async (_, source) => {
    expect((await failure(source, { milliseconds: 100 })).message).toMatch(/longer than 100 ms/);
  });

  it.each([
    [
      'memory',
      'const a = []; while (true) a.push(new Array(1000).fill(1));',
      { memory: 30_000_000 },
      /more memory than 30000000 bytes/,
    ],
    ['memory for buffers', 'const a = []; while (true) a.push(new ArrayBuffer(1e7));', {}, /memory/],
    ['text', 'let s = "x"; while (true) s += s;', {}, /memory|too long|length/],
    ['stack', 'function f() { f(); } f();', {}, /stack/i],
    ['stack for the parser', 'eval("(".repeat(50000))', {}, /stack/i],
    ['stack for its result', 'let o = {}; for (let i = 0; i < 100000; i += 1) o = { o }; done(o);', {}, /stack/i],
    ['source', ' '.repeat(2_000), { sourceLength: 1_000 }, /longer than 1000/],
    ['result', 'done("x".repeat(2000));', { resultLength: 1_000 }, /longer than 1000/],
  ])('has a limit of %s', async (_, source, limits, message) => {
    expect((await failure(source, limits)).message).toMatch(message);
    expect(await run('done("still here");')).toBe('still here');
  });

  it.each([
    'process',
    'require',
    'fetch',
    'setTimeout',
    'globalThis.process',
    'WebAssembly',
    'std',
    'os',
    'give',
    'evaluate',
    'script',
  ])('finds no %s', async (name) => {
    expect(await run(`done(typeof ${name});`)).toBe('undefined');
  });

  it.each([
    ['import', 'import("fs").then(() => done("in"), () => done("out"));'],
    [
      'the constructor of a host function',
      'done(typeof mathjs.evaluate.constructor("return typeof process")().length === "undefined" ? "in" : "out");',
    ],
    ['the way out of its function', '}); done("in"); (function () {'],
  ])('does not reach the host by %s', async (_, source) => {
    const result = await run(source).catch((error: unknown) => (error instanceof ScriptError ? 'out' : 'in'));
    expect(result).toBe('out');
  });

  it('may write to a console, which nobody reads', async () => {
    expect(await run('console.log("here", documents); console.error(1); done(console.log.length);')).toBe(0);
  });

  it('leaves nothing behind for the next one', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 1; JSON.parse = () => 5; done(1);');
    expect(await run('done([typeof left, typeof [].left, JSON.parse("1")]);')).toEqual(['undefined', 'undefined', 1]);
  });
});
