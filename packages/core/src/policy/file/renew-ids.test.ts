import { expect, test } from 'vitest';
import { countingIds, policyJson, written } from '../../../test/policy-fixtures.js';
import { readPolicyJson } from './read-json.js';
import { renewBlockIds } from './renew-ids.js';

const ID = 'd3b1c9a4-5b7e-4c52-9a37-0c5f7d2e8b11';
const bundle = readPolicyJson(
  {
    ...policyJson(
      written(
        'a',
        '',
        {},
        written('b', 'x', { id: ID, schema: '#1', tokenId: '0.0.1', defaultActive: 'no' }),
        written('b', 'y'),
      ),
    ),
    schemas: [{ iri: '#1', document: {} }],
    tokens: [{ tokenId: '0.0.1' }],
  },
  { ids: { uuid: () => crypto.randomUUID() } },
);

test('every block gets a new id, and nothing else changes', () => {
  const before = structuredClone(bundle);
  const ids = countingIds();
  const renewed = renewBlockIds(bundle, ids);
  expect([renewed.config.id, ...renewed.config.children.map(({ id }) => id)]).toEqual(ids.issued);
  const idsOfBefore = { config: { ...renewed.config, id: bundle.config.id, children: bundle.config.children } };
  expect({ ...renewed, ...idsOfBefore, findings: bundle.findings }).toEqual(before);
  expect(renewed.config.children[0]).toEqual({ ...bundle.config.children[0], id: ids.issued[1] });
  expect(bundle).toEqual(before);
});

test('findings go on naming their blocks', () => {
  const renewed = renewBlockIds(bundle, countingIds());
  expect(bundle.findings).toMatchObject([{ block: ID }]);
  expect(renewed.findings).toMatchObject([{ block: renewed.config.children[0]?.id }]);
});
