/** Runs a script of a policy: it needs files of the packages that no import names, a worker and WebAssembly. */
import { customLogicBlock } from '@blockwork/blocks';
import { blockBench } from '@blockwork/testing';

const iri = '#11111111-1111-4111-8111-111111111111&1.0.0';
const document = {
  $id: iri,
  $comment: `{"term": "result", "@id": "https://example.org/result${iri}"}`,
  type: 'object',
  properties: { sum: { type: 'number' } },
};
const bench = blockBench(customLogicBlock(), {
  policy: { schemas: [{ iri, name: 'Result', document }] },
  options: { expression: 'done({ sum: mathjs.sum([40, 2]) });', outputSchema: iri, idType: 'UUID' },
});
const subject = { id: 'urn:subject' };
await bench.as('Farmer').event('RunEvent', {
  owner: 'did:bench:owner',
  document: { type: ['VerifiableCredential'], issuer: 'did:bench:owner', credentialSubject: [subject] },
});
console.log(bench.emitted[0].data.document.credentialSubject[0].sum);
await bench.close();
