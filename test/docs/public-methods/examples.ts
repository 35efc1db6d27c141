/** The `@example` of each public method compiles in strict mode, calls its method, and runs. */
import { isBlockworkError } from '@blockwork/core';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { complaints } from '../support/compiled-snippets.js';
import { blockExamples } from './block-examples.js';
import { clientExamples } from './client-examples.js';
import { engineExamples } from './engine-examples.js';
import type { Example, ExampleSuite } from './example-suite.js';
import { functionExamples } from './function-examples.js';

const suites: readonly ExampleSuite[] = [engineExamples, ...blockExamples, clientExamples, functionExamples];

/** What an example takes for granted are parameters; the inner block lets it declare the same names. */
function programOf({ names, head = '' }: ExampleSuite, { example }: Example): string {
  const parameters = Object.entries<string>(names).map(([name, type]) => `${name}: ${type}`);
  return `${head}\nexport async function example(${parameters.join(', ')}) {\n{\n${example}\n}\n}\n`;
}

const programs = suites.flatMap((suite) =>
  suite.examples
    .filter(({ example }) => example !== '')
    .map((example) => ({ suite, example, code: programOf(suite, example) })),
);
const complaintLists = complaints(
  programs.map(({ example: { name }, code }) => ({ place: name, page: name, language: 'ts', info: '', code })),
  { isPart: false },
);
const cases = programs.map((each, n) => ({ ...each, name: each.example.name, complaints: complaintLists[n] }));

/** The code of the error that it fails with; `undefined` if it does not fail. */
const failureOf = async (running: Promise<void>): Promise<string | undefined> =>
  running.then(
    () => undefined,
    (error: unknown) => {
      if (isBlockworkError(error) && error.code !== 'BLOCK_FAILED') return error.code;
      throw isBlockworkError(error) ? (error.cause as Error) : error;
    },
  );

describe.each(suites)('the example of a method of $holder', (suite) => {
  it('is there', () => {
    expect(suite.examples.filter(({ example }) => example === '').map(({ name }) => name)).toEqual([]);
  });

  it.each(cases.filter((each) => each.suite === suite))('$name compiles and runs', async ({ example, ...each }) => {
    expect(each.complaints).toEqual([]);
    // Without what stands between a name and its arguments.
    const plain = example.example.replaceAll('?.', '.').replaceAll(/<.+>\(/g, '(');
    expect(plain).toContain(example.call);
    const { outputText } = ts.transpileModule(each.code, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    const module = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as {
      example(...values: unknown[]): Promise<void>;
    };
    const running = suite.perform(example.name, async (values) => {
      await module.example(...Object.keys(suite.names).map((name) => Reflect.get(values, name) as unknown));
    });
    expect(await failureOf(running)).toBe(example.throws);
  });
});
