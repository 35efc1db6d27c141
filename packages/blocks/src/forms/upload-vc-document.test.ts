import type { JsonObject } from '@blockwork/core/block';
import { keyHolder } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { FARM, FARM_CONTEXT, schemas } from '../../test/farm-schemas.js';
import { signedBench, type SignedBench } from '../../test/signed-documents.js';
import { uploadVcDocumentBlock } from './index.js';

const farm = {
  type: FARM.slice(1),
  '@context': [FARM_CONTEXT],
  id: 'urn:farm',
  name: 'North field',
  policyId: 'other',
};
const upload = (options: JsonObject = { schema: FARM, entityType: 'upload' }): SignedBench =>
  signedBench(uploadVcDocumentBlock, { options, policy: { schemas } });
const files = async (bench: SignedBench, ...documents: JsonObject[]): Promise<JsonObject[]> =>
  (await bench.signed('ann', ...documents)).map(({ document }) => document);
const ANN = { did: 'did:bench:ann' };

describe('uploadVcDocumentBlock', () => {
  it('makes records of credentials that hold, in the name of whoever uploads them', async () => {
    const bench = upload();
    const documents = await files(bench, { subject: farm }, { subject: { ...farm, id: 'urn:other' } });
    const answer = await bench.as(ANN).send({ documents });
    expect(answer).toMatchObject({
      verified: documents.map((document) => ({ document, owner: ANN.did, type: 'upload', schema: FARM, signature: 1 })),
      invalid: [],
    });
    expect(bench.emitted.map(({ output }) => output)).toEqual(['RunEvent', 'ReleaseEvent', 'RefreshEvent']);
    expect(bench.emitted[0]?.data).toEqual((answer as JsonObject).verified);
  });

  it('hands back what was tampered with, is of another schema or lacks what the schema wants, and runs nothing', async () => {
    const bench = upload();
    const { name: _name, ...nameless } = farm;
    const documents = await files(
      bench,
      { subject: farm, forged: { name: 'South field' } },
      { subject: { ...farm, type: 'x' } },
      { subject: nameless },
    );
    const all = [...documents, { no: 'credential' }];
    expect(await bench.as(ANN).send({ documents: all })).toEqual({ verified: [], invalid: all });
    expect(bench.emitted).toEqual([]);
  });

  it('takes a credential in once', async () => {
    const bench = upload();
    const documents = await files(bench, { subject: farm });
    await bench.as(ANN).send({ documents });
    expect(await bench.as({ did: 'did:bench:bob' }).send({ documents })).toEqual({ verified: [], invalid: documents });
    expect(await bench.as(ANN).send({ documents: [...documents, ...documents] })).toMatchObject({ verified: [] });
  });

  it('takes a credential in once, however its JSON is written', async () => {
    const bench = upload({});
    const holder = await keyHolder('zoe', bench.clock);
    const issuer = { id: holder.did, group: 'g' };
    const document = await holder.sign({ id: 'urn:uuid:1', credentialSubject: [{ type: 'x' }], issuer });
    const again = { ...document, issuer: { group: 'g', id: holder.did } };
    expect(await bench.as(ANN).send({ documents: [document, again] })).toMatchObject({
      verified: [{ document }],
      invalid: [again],
    });
  });

  it('shows its schema, and takes any credential where it has none', async () => {
    expect(await upload().as(ANN).read()).toMatchObject({ schema: { iri: FARM }, active: true });
    const bench = upload({});
    const documents = await files(bench, { subject: { type: 'x' } });
    expect(await bench.as(ANN).send({ documents })).toMatchObject({ verified: [{ document: documents[0] }] });
  });

  it('takes at most 100 at a time', async () => {
    const documents = Array.from({ length: 101 }, () => ({}));
    await expect(upload().as(ANN).send({ documents })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
