/** What a policy file would bring along: a token and a schema. */
import type { ChangeSet } from '@blockwork/core/adapter';

export const tokenId = '0.0.1001';
export const schemaIri = '#trial';

export const definitionsOf = (policyId: string): ChangeSet => ({
  expect: {},
  changes: [
    {
      op: 'put',
      kind: 'token',
      partition: policyId,
      value: { id: tokenId, tokenName: 'Carbon', tokenSymbol: 'CO2', source: { tokenType: 'fungible', decimals: '2' } },
    },
    {
      op: 'put',
      kind: 'schema',
      partition: policyId,
      value: { id: schemaIri, name: 'Trial', entity: 'VC', status: 'DRAFT', document: { type: 'object' }, source: {} },
    },
  ],
});
