/** The context that is published with a schema means what its documents were signed as. */
import { linkedData } from '@blockwork/linked-data';
import { cidOf } from '@blockwork/ledger-hedera';
import { describe, expect, it } from 'vitest';
import { schemaContext } from '../../packages/ledger-hedera/src/forms/schema-context.js';

const linked = linkedData();
const ADDRESS = 'schema:plant&1.0.0';

const schema = {
  document: {
    $id: '#plant&1.0.0',
    properties: {
      ...{
        '@context': {},
        type: {},
        id: {},
        policyId: {},
        name: {},
        readings: {},
        'two words': {},
        'a%b': {},
        owner: {},
      },
    },
  },
  address: ADDRESS,
  context: null,
};

/** What is in a field is signed as it is, with the address in it. */
const inner = { '@context': [ADDRESS], type: 'reading&1.0.0', empty: null };

/** With the file's address instead of the schema's, only the file says what the fields mean. */
const credential = (context: string, more: object = {}) => ({
  '@context': ['https://www.w3.org/2018/credentials/v1', context],
  id: 'urn:uuid:1',
  type: ['VerifiableCredential'],
  issuer: 'did:example:a',
  issuanceDate: '2026-01-01T00:00:00Z',
  credentialSubject: [
    {
      '@context': [context],
      type: 'plant&1.0.0',
      id: 'did:example:plant',
      policyId: '1',
      ref: 'did:example:before',
      name: 'One',
      readings: [{ ...inner, value: [2, 1] }],
      'two words': { deep: [] },
      'a%b': 0,
      ...more,
    },
  ],
});

const hashOf = async (document: ReturnType<typeof credential>, published: Parameters<typeof linked.hashes>[2]) =>
  Buffer.concat(await linked.hashes([document], document, published)).toString('hex');

describe('the context of a schema that was never published', () => {
  it('gives a document the statements that it was signed with, from its file alone', async () => {
    const file = schemaContext(schema);
    const address = `ipfs://${cidOf(Buffer.from(JSON.stringify(file)))}`;
    const published = [{ address, document: file }];
    for (const more of [{}, { owner: 'did:example:b' }])
      expect(await hashOf(credential(address, more), published)).toBe(await hashOf(credential(ADDRESS, more), []));
    const changed = { readings: [{ ...inner, value: [1, 2] }] };
    expect(await hashOf(credential(address, changed), published)).not.toBe(await hashOf(credential(ADDRESS), []));
  });
});
