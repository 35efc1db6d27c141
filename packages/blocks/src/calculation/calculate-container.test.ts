import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench, type BlockFragment } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { FARM, FARM_CONTEXT, schemas } from '../../test/farm-schemas.js';
import { calculateContainerBlock } from './calculate-container.js';
import { calculateMathAddon } from './calculate-math-addon.js';
import { calculateMathVariables } from './calculate-math-variables.js';

const formulas = (...equations: [string, string][]): BlockFragment => ({
  blockType: 'calculateMathAddon',
  tag: `formulas-${equations[0]?.[0] ?? ''}`,
  equations: equations.map(([variable, formula]) => ({ variable, formula, role: '' })),
});

const field = (name: string, value = name) => ({ name, title: name, value });

const container = (options: object, children: BlockFragment[] = [], documents: JsonObject[] = []): BlockBench =>
  blockBench(calculateContainerBlock, {
    blocks: [calculateMathAddon(), calculateMathVariables],
    policy: { schemas },
    options: { inputSchema: FARM, outputSchema: FARM, ...options },
    children,
    documents: documents as never,
  });

const input = (subject: JsonObject, more: JsonObject = {}): JsonObject => ({
  owner: 'did:bench:ann',
  document: { type: ['VerifiableCredential'], credentialSubject: [{ id: 'urn:subject', ...subject }] },
  ...more,
});

async function outcome(bench: BlockBench, data: Json): Promise<JsonObject> {
  await bench.as('Farmer').event('RunEvent', data);
  return bench.emitted.find(({ output }) => output === 'RunEvent')?.data as JsonObject;
}
const subjectOf = (record: JsonObject): JsonObject =>
  ((record.document as JsonObject).credentialSubject as JsonObject[])[0] ?? {};

describe('calculateContainerBlock', () => {
  it('makes a credential of the policy owner, from fields and formulas', async () => {
    const bench = container(
      { inputFields: [field('a'), field('b', 'x')], outputFields: [field('name', 'a'), field('area', 'y')] },
      [formulas(['half', 'x / 2'], ['y', 'half * 4 + 0.1 + 0.2'])],
    );
    const record = await outcome(
      bench,
      input(
        { a: 'North', b: '5', ref: 'urn:ref' },
        { messageId: '1.2', accounts: { default: '0.0.1' }, tokens: { t: '0.0.2' } },
      ),
    );
    expect(record).toMatchObject({
      owner: 'did:bench:ann',
      type: FARM,
      schema: FARM,
      relationships: ['1.2'],
      accounts: { default: '0.0.1' },
      tokens: { t: '0.0.2' },
      document: { issuer: 'did:bench:owner', proof: {} },
    });
    expect(subjectOf(record)).toMatchObject({
      id: 'urn:subject',
      ref: 'urn:ref',
      type: FARM.slice(1),
      '@context': [FARM_CONTEXT],
      name: 'North',
      area: 10.3,
    });
    expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent', 'RefreshEvent']);
    const { engine } = await bench.open();
    expect(engine).toBeDefined();
  });

  it('keeps a result of 0 or false, and leaves out what has no value', async () => {
    const fields = ['zero', 'no', 'blank', 'nothing', 'missing'].map((name) => field(name));
    const bench = container({ inputFields: fields.slice(1), outputFields: fields }, [formulas(['zero', '1 - 1'])]);
    const subject = subjectOf(await outcome(bench, input({ no: false, blank: '', nothing: null })));
    expect(Object.keys(subject).filter((name) => fields.some((each) => each.name === name))).toEqual(['zero', 'no']);
  });

  it('keeps numbers exact between equations', async () => {
    const bench = container({ inputFields: [field('x')], outputFields: [field('z')] }, [
      formulas(['y', 'x / 3'], ['z', 'floor(y * 3 * 1e20 + 1) / 1e20']),
    ]);
    expect(subjectOf(await outcome(bench, input({ x: 1 }))).z).toBe(1);
  });

  it('leaves out what a formula gives no value for, and goes on', async () => {
    const bench = container(
      { inputFields: [field('x')], outputFields: [field('x'), field('y'), field('z'), field('ok')] },
      [formulas(['y', 'missing + 1'], ['x', 'y * 2'], ['z', 'x + 1'], ['ok', '1'])],
    );
    const subject = subjectOf(await outcome(bench, input({ x: 1 })));
    expect(subject).not.toHaveProperty('y');
    expect(subject).not.toHaveProperty('x');
    expect(subject).not.toHaveProperty('z');
    expect(subject.ok).toBe(1);
  });

  it('calculates with lists of all documents, or with each by itself', async () => {
    const fields = { inputFields: [field('x')], outputFields: [field('total')] };
    const data = [input({ x: 1 }, { messageId: '1.1' }), input({ x: 2 }, { messageId: '1.2' })];
    const one = await outcome(container(fields, [formulas(['total', 'sum(x)'])]), data);
    expect(subjectOf(one).total).toBe(3);
    expect(one.relationships).toEqual(['1.1', '1.2']);
    const each = await outcome(
      container({ ...fields, inputDocuments: 'separate' }, [formulas(['total', 'x * 10'])]),
      data,
    );
    expect((each as unknown as JsonObject[]).map((record) => [subjectOf(record).total, record.relationships])).toEqual([
      [10, ['1.1']],
      [20, ['1.2']],
    ]);
  });

  it('leaves a result without a proof and ties where a later block signs it', async () => {
    const bench = container({ unsigned: true, inputFields: [field('a')], outputFields: [field('name', 'a')] });
    const record = await outcome(bench, input({ a: 'North' }, { messageId: '1.1', accounts: { default: '0.0.7' } }));
    expect(record).toMatchObject({ owner: 'did:bench:ann', schema: FARM, signature: 0 });
    expect(record.document).not.toHaveProperty('proof');
    for (const tie of ['relationships', 'accounts', 'tokens']) expect(record).not.toHaveProperty(tie);
  });

  it('refuses to run without a credential', async () => {
    const bench = container({});
    await expect(bench.as('Farmer').event('RunEvent', null)).rejects.toMatchObject({ code: 'DOCUMENT_MISSING' });
    await expect(bench.as('Farmer').event('RunEvent', [])).rejects.toMatchObject({ code: 'DOCUMENT_MISSING' });
  });

  it('reports undefined variables and invalid formulas to the author', async () => {
    const bench = container({ inputFields: [field('x')], outputFields: [field('a', 'x'), field('b', 'nowhere')] }, [
      formulas(['y', 'x & 2'], ['z', 'random(5)'], ['w', 'x + z + unheard']),
    ]);
    const messages = (await bench.findings()).map(({ message }) => message).join('\n');
    expect(messages).toMatch(/the variable "nowhere" is not defined/);
    expect(messages).toMatch(/"x & 2" cannot be evaluated/);
    expect(messages).toMatch(/no function "random"/);
    expect(messages).toMatch(/"unheard" is not defined/);
    expect(messages).not.toMatch(/(variable|name) "[xz]"/);
  });
});

describe('calculateMathVariables', () => {
  const factors = (device: string, factor: number, more: JsonObject = {}): JsonObject =>
    input({ id: device, factor }, { schema: FARM, ...more });
  const variables = (more: object = {}): BlockFragment => ({
    blockType: 'calculateMathVariables',
    tag: 'search',
    selectors: [
      {
        sourceField: 'document.credentialSubject.0.id',
        selectorType: 'equal',
        comparisonValueType: 'var',
        comparisonValue: 'device',
      },
    ],
    variables: [{ variableName: 'factor', variablePath: 'document.credentialSubject.0.factor' }],
    ...more,
  });
  const stored = [factors('a', 2), factors('b', 2.5), factors('c', 4, { owner: 'did:bench:bob' })];
  const product = (more: object, children = stored): BlockBench =>
    container(
      { inputFields: [field('device'), field('x')], outputFields: [field('y')] },
      [variables(more), formulas(['y', 'factor * x'])],
      children,
    );

  it('takes variables from the first document that is selected by another variable', async () => {
    expect(subjectOf(await outcome(product({}), input({ device: 'b', x: 12.4 }))).y).toBe(31);
  });

  it('knows lists and opposites', async () => {
    const select = (selectorType: string, comparisonValue: string) => ({
      selectors: [
        { sourceField: 'document.credentialSubject.0.id', selectorType, comparisonValue, comparisonValueType: 'const' },
      ],
    });
    expect(subjectOf(await outcome(product(select('in', 'x, b')), input({ x: 2 }))).y).toBe(5);
    expect(subjectOf(await outcome(product(select('not_in', 'a,b')), input({ x: 2 }))).y).toBe(8);
    expect(subjectOf(await outcome(product(select('not_equal', 'a')), input({ x: 2 }))).y).toBe(5);
  });

  it('takes "own" for what belongs to the owner of the document', async () => {
    const own = { onlyOwnDocuments: true, selectors: [] };
    expect(subjectOf(await outcome(product(own), input({ x: 1 }, { owner: 'did:bench:bob' }))).y).toBe(4);
    const ours = { onlyOwnByGroupDocuments: true, selectors: [] };
    expect(subjectOf(await outcome(product(ours), input({ x: 1 })))).not.toHaveProperty('y');
  });

  it('leaves the variables alone where nothing is selected', async () => {
    expect(subjectOf(await outcome(product({}), input({ device: 'none', x: 1 })))).not.toHaveProperty('y');
  });
});
