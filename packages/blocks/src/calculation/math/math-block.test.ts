import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { FARM, schemas } from '../../../test/farm-schemas.js';
import { ANN, credential, sent } from '../../../test/documents.js';
import { mathBlock } from './math-block.js';

const group = (items: Json[]) => [{ type: 'group', name: 'Tab1', items }];
const link = (name: string, field = name, schema = '') => ({ type: 'link', name, field, schema, description: '' });
const variable = (name: string, body: string) => ({ type: 'variable', name, body, params: [], relationships: [] });

const PLOT = '#44444444-4444-4444-8444-444444444444';
const plot = {
  iri: PLOT,
  name: 'Plot',
  entity: 'VC',
  status: 'DRAFT',
  contextURL: null,
  document: {
    $id: PLOT,
    type: 'object',
    properties: {
      '@context': { type: 'array', readOnly: true },
      type: { type: 'string', readOnly: true },
      id: { type: 'string', readOnly: true },
      ref: { type: 'string', readOnly: true },
      policyId: { type: 'string', readOnly: true },
      area: { type: 'number' },
      factor: { type: 'number' },
      amount: { type: 'number' },
      yield: { type: 'object', properties: { total: { type: 'number' } } },
      fields: {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      },
    },
    additionalProperties: false,
  },
};

const expression = {
  variables: group([link('area'), link('factor')]),
  formulas: group([variable('amount', String.raw`\operatorname{area}\cdot\operatorname{factor}`)]),
  outputs: group([link('amount')]),
  code: '',
};

const bench = (place: object = {}, options: JsonObject = {}): BlockBench =>
  blockBench(mathBlock(), {
    roles: ['Farmer'],
    policy: { schemas: [...schemas, plot] },
    options: { inputSchema: PLOT, outputSchema: PLOT, expression: { ...expression, ...place }, ...options },
  });

const plotOf = (subject: JsonObject, more: object = {}) =>
  credential('plot', ANN.did, subject, { schema: PLOT, ...more }) as unknown as JsonObject;
const run = (block: BlockBench, data: Json) => block.as(ANN).event('RunEvent', data);
const subjects = (block: BlockBench) =>
  sent(block)
    .flat()
    .map(({ document }) => ((document as JsonObject).credentialSubject as JsonObject[])[0]);

describe('a block of formulas', () => {
  it('makes a credential of the owner of the policy, with the results in the fields of the subject', async () => {
    const block = bench();
    await run(block, plotOf({ area: 0.1, factor: 3, ref: 'urn:farm' }, { accounts: { default: '0.0.7' } }));
    expect(subjects(block)).toMatchObject([
      { id: 'urn:subject:plot', ref: 'urn:farm', area: 0.1, amount: 0.3, type: PLOT.slice(1) },
    ]);
    const [credential] = sent(block);
    expect(credential).toMatchObject({
      owner: ANN.did,
      schema: PLOT,
      relationships: ['1.plot'],
      accounts: { default: '0.0.7' },
    });
    expect((credential?.document as JsonObject).proof).toBeDefined();
    expect(block.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent', 'RefreshEvent']);
  });

  it('leaves a result without a proof and ties where a later block signs it', async () => {
    const block = bench({}, { unsigned: true });
    await run(block, plotOf({ area: 2, factor: 3 }, { accounts: { default: '0.0.7' } }));
    const [credential] = sent(block);
    expect(subjects(block)).toMatchObject([{ amount: 6 }]);
    expect(credential).toMatchObject({ schema: PLOT, signature: 0 });
    expect(credential?.document).not.toHaveProperty('proof');
    for (const tie of ['relationships', 'accounts', 'tokens']) expect(credential).not.toHaveProperty(tie);
  });

  it('calculates each document of a list for itself', async () => {
    const block = bench();
    await run(block, [plotOf({ area: 2, factor: 3 }), plotOf({ area: 4, factor: 0 })]);
    expect(subjects(block).map((subject) => subject?.amount)).toEqual([6, 0]);
  });

  it('never lets a value of the input pass for a result that there is none of', async () => {
    const block = bench();
    await run(block, plotOf({ area: 2, amount: 1_000_000 }));
    expect(subjects(block)[0]).not.toHaveProperty('amount');
    const { engine, policyId, owner } = await block.open();
    const { items } = await engine.journal.list(owner, policyId);
    expect(JSON.stringify(items)).toContain('The formula \\"amount\\" has no value');
  });

  it('takes only the results where the output schema is another one', async () => {
    const block = bench({}, { inputSchema: FARM });
    await run(block, plotOf({ area: 2, factor: 3 }));
    expect(subjects(block)[0]).toMatchObject({ amount: 6 });
    expect(subjects(block)[0]).not.toHaveProperty('area');
  });

  it('reads and writes through objects and lists', async () => {
    const block = bench({
      variables: group([link('a', 'fields.a')]),
      formulas: group([variable('total', String.raw`\sum_{i=1}^{\operatorname{size}(a)}a_i`)]),
      outputs: group([link('total', 'yield.total'), link('a', 'fields.b')]),
    });
    await run(block, plotOf({ fields: [{ a: 1 }, { a: 2 }] }));
    expect(subjects(block)).toMatchObject([
      {
        yield: { total: 3 },
        fields: [
          { a: 1, b: 1 },
          { a: 2, b: 2 },
        ],
      },
    ]);
  });

  it('takes values of a related document, found by its schema', async () => {
    const block = blockBench(mathBlock(), {
      policy: { schemas: [...schemas, plot] },
      documents: [credential('farm', ANN.did, { area: 7 }, { schema: FARM })],
      options: {
        inputSchema: PLOT,
        expression: { ...expression, variables: group([link('area', 'area', FARM), link('factor')]) },
      },
    });
    await run(block, plotOf({ factor: 2 }, { relationships: ['1.farm'] }));
    expect(subjects(block)).toMatchObject([{ amount: 14 }]);
  });

  it('lets its script change the result', async () => {
    const block = bench({
      code: 'return { ...result, amount: formulas.amount + variables.area + getField("factor") };',
    });
    await run(block, plotOf({ area: 2, factor: 3 }));
    expect(subjects(block)).toMatchObject([{ area: 2, amount: 11 }]);
  });

  it('keeps the result where its script returns nothing, and names the line where it fails', async () => {
    const block = bench({ code: 'const unused = 1;' });
    await run(block, plotOf({ area: 2, factor: 3 }));
    expect(subjects(block)).toMatchObject([{ amount: 6 }]);
    await expect(run(bench({ code: '\nmissing();' }), plotOf({ area: 1 }))).rejects.toThrow(/line 2/);
    await expect(run(bench({ code: 'return 5;' }), plotOf({ area: 1 }))).rejects.toThrow('must be an object');
  });

  it('refuses a result that its schema does not allow', async () => {
    const block = bench({ outputs: group([link('amount', 'other')]) });
    await expect(run(block, plotOf({ area: 2, factor: 3 }))).rejects.toThrow('/result/other');
  });

  it.each<[string, object]>([
    ['The name "area" is used twice', { formulas: group([variable('area', '1')]) }],
    ['"1st" cannot be a name', { formulas: group([variable('1st', '1')]) }],
    ['Nothing is called "z"', { formulas: group([variable('amount', 'z')]) }],
    ['The output "amount" is not the name of a value', { formulas: [] }],
    ['It needs itself', { formulas: group([variable('amount', String.raw`\operatorname{amount}+1`)]) }],
    ['does not say which field', { outputs: group([link('amount', '')]) }],
  ])('has a finding: %s', async (message, place) => {
    const findings = await bench(place).findings();
    expect(findings.map((each) => each.message).join('\n')).toContain(message);
    expect(findings[0]?.path).toMatch(/expression$/);
  });

  it('refuses options that it does not know', () => {
    expect(() => mathBlock({ formula: {} } as never)).toThrow('mathBlock: formula cannot be used');
  });
});
