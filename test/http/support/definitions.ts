/** What a policy file would bring along, a token and a schema; and a mint with its presentation. */
import type { ChangeSet } from '@blockwork/core/adapter';

export const tokenId = '0.0.1001';
export const schemaIri = '#trial';
export const presentationId = 'presentation';

const at = '2026-01-01T00:00:00.000Z';
const messageId = '1767225600.000000001';

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
    {
      op: 'put',
      kind: 'document',
      partition: policyId,
      value: {
        ...{
          id: presentationId,
          policyId,
          dataType: 'vp-documents',
          owner: 'did:example:owner',
          messageId,
          option: {},
        },
        ...{ document: { type: ['VerifiablePresentation'] }, createDate: at, updateDate: at },
      },
    },
    {
      op: 'put',
      kind: 'ledger-effect',
      partition: policyId,
      value: { id: 'effect', policyId, at, type: 'mint', tokenId, accountId: '0.0.7', units: '100', memo: messageId },
    },
  ],
});
