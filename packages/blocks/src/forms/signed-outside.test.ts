import type { JsonObject } from '@blockwork/core/block';
import { keyHolder, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, farm, form, ran, stored } from '../../test/farm-form.js';
import { FARM, FARM_CONTEXT } from '../../test/farm-schemas.js';

/** A farmer who brings a `did:key` to the form, and what that form would make of the farm. */
async function world(options: JsonObject = {}, formBench: BlockBench = form(options)) {
  const holder = await keyHolder('zoe', formBench.clock);
  const zoe = { ...ANN, did: holder.did };
  const { policyId } = await formBench.open();
  const subject = { ...farm, id: zoe.did, type: FARM.slice(1), '@context': [FARM_CONTEXT], policyId };
  const signed = (more: JsonObject = {}, credential: JsonObject = {}) =>
    holder.sign({ id: 'urn:uuid:1', credentialSubject: [{ ...subject, ...more }], ...credential });
  const send = (document: JsonObject, ref: string | null = null) => formBench.as(zoe).send({ document, ref });
  return { bench: formBench, holder, zoe, subject, signed, send };
}

const invalid = (reason: string) => ({
  code: 'CREDENTIAL_INVALID',
  message: expect.stringContaining(reason) as string,
});

describe('a form of a user who keeps their key', () => {
  it('takes the credential that they signed outside, as theirs, where that of others is signed here', async () => {
    const { bench, zoe, signed, send } = await world();
    await expect(send(farm)).rejects.toMatchObject({ code: 'KEY_UNAVAILABLE' });
    const credential = await signed();
    const answer = await send(credential);
    expect(answer).toMatchObject({ owner: zoe.did, type: FARM, schema: FARM, document: credential });
    expect(ran(bench)).toEqual([answer]);
  });

  it('takes each credential once', async () => {
    const { bench, signed, send } = await world();
    await send(await signed());
    await expect(send(await signed())).rejects.toMatchObject(invalid('taken in already'));
    await send(await signed({}, { id: 'urn:uuid:2' }));
    expect(ran(bench)).toHaveLength(2);
  });

  it('takes no credential that says other than what the form would have made of it', async () => {
    const { bench, zoe, subject, signed, send } = await world();
    await expect(send(await signed({ type: 'other' }))).rejects.toMatchObject(invalid('not of the type'));
    await expect(send(await signed({ area: 'large' }))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(send(await signed({ id: 'did:test:bob' }))).rejects.toMatchObject(invalid(`must be "${zoe.did}"`));
    await expect(send(await signed({ policyId: 'other' }))).rejects.toMatchObject(invalid('policyId'));
    await expect(send(await signed({ ref: 'urn:x' }))).rejects.toMatchObject(
      invalid('ref of its subject must be absent'),
    );
    const two = { credentialSubject: [subject, subject] };
    await expect(send(await signed({}, two))).rejects.toMatchObject(invalid('exactly one subject'));
    expect(bench.emitted).toEqual([]);
  });

  it('takes no credential of somebody else, none that was changed, and none in the name of another group', async () => {
    const { bench, holder, zoe, subject, signed, send } = await world();
    const other = await keyHolder('other', bench.clock);
    await expect(send(await other.sign({ credentialSubject: [subject] }))).rejects.toMatchObject(
      invalid('not the one who sends it'),
    );
    const credential = await signed();
    await expect(send({ ...credential, issuanceDate: '2020-01-01T00:00:00Z' })).rejects.toMatchObject(invalid(''));
    const { proof: _, ...unsigned } = credential;
    await expect(send(unsigned)).rejects.toMatchObject({ code: expect.any(String) as string });
    const grouped = holder.sign({ credentialSubject: [subject], issuer: { id: zoe.did, group: 'another' } });
    await expect(send(await grouped)).rejects.toMatchObject(invalid('names a group'));
    expect(bench.emitted).toEqual([]);
  });

  it('refers to a document where its subject says so', async () => {
    const holder = await keyHolder('zoe', form().clock);
    const of = await world({}, form({}, { documents: [stored('mine', holder.did)] }));
    await expect(of.send(await of.signed(), 'urn:subject:mine')).rejects.toMatchObject(invalid('ref of its subject'));
    const answer = await of.send(await of.signed({ ref: 'urn:subject:mine' }), 'urn:subject:mine');
    expect(answer).toMatchObject({ relationships: ['1.mine'] });
  });

  it('lets the signer name a new subject, and no other', async () => {
    const existing = stored('taken', ANN.did, { id: 'urn:uuid:taken' });
    const of = await world({}, form({ idType: 'UUID' }, { documents: [existing] }));
    await expect(of.send(await of.signed({ id: 'taken' }))).rejects.toMatchObject(invalid('urn:uuid:'));
    await expect(of.send(await of.signed({ id: 'urn:uuid:taken' }))).rejects.toMatchObject(
      invalid('about its subject'),
    );
    await of.send(await of.signed({ id: 'urn:uuid:new' }));
    expect(ran(of.bench)).toHaveLength(1);
  });

  it('is one of fields for everybody whose key is here, whatever they send', async () => {
    const { bench, signed } = await world();
    await expect(bench.as(ANN).send({ document: await signed() })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
