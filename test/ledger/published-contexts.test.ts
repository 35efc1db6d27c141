/** The context that is published with a schema means what its documents were signed as. */
import { MemoryStore } from '@blockwork/core';
import { linkedData } from '@blockwork/linked-data';
import { cidOf, ed25519Signer, openHederaLedger } from '@blockwork/ledger-hedera';
import { describe, expect, it } from 'vitest';

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

/** What the ledger stores before the message that names it; there is no topic to send that to, and no network. */
async function publishedContext(): Promise<Parameters<typeof linked.hashes>[0][number]> {
  const files: string[] = [];
  const put = (bytes: Uint8Array) => {
    files.push(Buffer.from(bytes).toString('utf8'));
    return Promise.resolve(cidOf(bytes));
  };
  const nowhere = { mirror: 'http://127.0.0.1:9', nodes: [{ address: '127.0.0.1:9', account: '0.0.3' }] };
  const account = { operator: '0.0.2', signer: ed25519Signer('07'.repeat(32)) };
  const ledger = openHederaLedger({
    store: new MemoryStore(),
    network: 'none',
    ...nowhere,
    ...account,
    files: { put },
  });
  const message = { id: '1767225610.000000001', topicId: 't', type: 'schema', owner: 'did:example:a', hash: '' };
  const effect = { id: 'e', policyId: 'p', at: '2026-01-01T00:00:00.000Z', type: 'message' } as const;
  const body = { ...message, relationships: [], memo: '', body: { iri: '#plant&1.0.0' } };
  const settled = ledger.settle({ ...effect, body }, { document: null, token: null, schema });
  await expect(settled).rejects.toThrow('The topic of the policy is not on the ledger yet');
  await ledger.close();
  const [document, context = ''] = files;
  expect(JSON.parse(document ?? '')).toEqual(schema.document);
  return JSON.parse(context) as Awaited<ReturnType<typeof publishedContext>>;
}

const hashOf = async (document: ReturnType<typeof credential>, published: Parameters<typeof linked.hashes>[2]) =>
  Buffer.concat(await linked.hashes([document], document, published)).toString('hex');

describe('the context of a schema that was never published', () => {
  it('gives a document the statements that it was signed with, from its file alone', async () => {
    const file = await publishedContext();
    const address = `ipfs://${cidOf(Buffer.from(JSON.stringify(file)))}`;
    const published = [{ address, document: file }];
    for (const more of [{}, { owner: 'did:example:b' }])
      expect(await hashOf(credential(address, more), published)).toBe(await hashOf(credential(ADDRESS, more), []));
    const changed = { readings: [{ ...inner, value: [1, 2] }] };
    expect(await hashOf(credential(address, changed), published)).not.toBe(await hashOf(credential(ADDRESS), []));
  });
});
