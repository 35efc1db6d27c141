/** What the formulas of blocks say about the fields that they take. */
import type { Finding } from '@blockwork/core';
import type { BlockType } from '@blockwork/core/block';
import { blockBench } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { aggregateDocumentBlock } from '../calculation/index.js';
import { switchBlock } from '../flow/switch.js';
import { mintDocumentBlock, retirementDocumentBlock } from '../tokens/index.js';
import { fieldReferences } from './index.js';

const document = { type: 'object', properties: { amount: { type: 'number' } } };

async function unknownFields(block: BlockType, options: object): Promise<(string | undefined)[]> {
  const policy = { schemas: [{ iri: '#one', name: 'One', document }] };
  const { engine, policyId, owner } = await blockBench(block, { options: { tag: 'mine', ...options }, policy }).open();
  const isField = ({ message }: Finding): boolean => message.includes('the field');
  return (await engine.getFindings(owner, policyId)).filter(isField).map(({ path }) => path);
}

it('names in a formula are references to fields, but not functions, what it defines, or a formula that is none', () => {
  expect(fieldReferences('sum(amount) + c(2); c(x) = x * rate', '/rule').map(({ name }) => name)).toEqual([
    'amount',
    'rate',
  ]);
  expect(fieldReferences('sum(amount) * rate', '/rule')).toEqual([
    { to: 'field', name: 'amount', path: '/rule', severity: 'warning' },
    { to: 'field', name: 'rate', path: '/rule', severity: 'warning' },
  ]);
  expect(fieldReferences('amount +', '/rule')).toEqual([]);
});

it.each([
  ['mintDocumentBlock', mintDocumentBlock(), { rule: 'amount * amuont' }, '/children/0/rule'],
  ['retirementDocumentBlock', retirementDocumentBlock(), { rule: 'amuont' }, '/children/0/rule'],
  [
    'switchBlock',
    switchBlock(),
    {
      conditions: [
        { type: 'unconditional', value: 'gone' },
        { type: 'equal', value: 'option.status == 1' },
      ],
    },
    '/children/0/conditions/1/value',
  ],
  [
    'aggregateDocumentBlock',
    aggregateDocumentBlock(),
    { expressions: [{ name: 'total', value: 'amuont' }] },
    '/children/0/expressions/0/value',
  ],
])('%s warns of a field that no schema has', async (_, block, options, path) => {
  expect(await unknownFields(block, options)).toEqual([path]);
});
