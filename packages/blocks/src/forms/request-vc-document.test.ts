import type { JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, farm, form, stored, ran, subjectsOf } from '../../test/farm-form.js';
import { FARM, FARM_CONTEXT } from '../../test/farm-schemas.js';

describe('a form', () => {
  it('takes a schema that allows its own fields only, and holds nothing against it that the engine writes', async () => {
    const own = {
      iri: '#plain',
      name: 'Plain',
      document: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'place'],
        properties: {
          name: { type: 'string' },
          place: {
            $id: '#place',
            type: 'object',
            additionalProperties: false,
            properties: { town: { type: 'string' } },
          },
        },
      },
    };
    const bench = form({ schema: '#plain' }, { policy: { schemas: [own] } });
    await bench.as(ANN).send({ document: { name: 'North field', place: { town: 'Aalen' } } });
    expect(subjectsOf(bench)).toMatchObject([{ id: ANN.did, name: 'North field', place: { town: 'Aalen' } }]);
    await expect(bench.as(ANN).send({ document: { name: 'x', place: {}, more: 1 } })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('makes a credential of what is filled in, signed by the user, and sends it on without storing it', async () => {
    const bench = form();
    const answer = await bench.as(ANN).send({ document: farm, ref: null });
    expect(answer).toMatchObject({
      owner: ANN.did,
      type: FARM,
      schema: FARM,
      option: {},
      relationships: [],
      hederaStatus: 'NEW',
      document: {
        issuer: ANN.did,
        credentialSubject: [
          {
            ...farm,
            id: ANN.did,
            type: FARM.slice(1),
            '@context': [FARM_CONTEXT],
            policyId: (await bench.open()).policyId,
          },
        ],
      },
    });
    expect(bench.emitted.map(({ output, did }) => [output, did])).toEqual([
      ['RunEvent', ANN.did],
      ['ReleaseEvent', ANN.did],
      ['RefreshEvent', ANN.did],
    ]);
    expect(ran(bench)[0]).toEqual(answer);
    expect(await bench.documents()).toEqual([]);
  });

  it('writes what the server writes itself, whatever a client says of it', async () => {
    const bench = form();
    const forged = { id: 'did:test:bob', type: 'x', '@context': ['x'], policyId: 'other', ref: 'urn:x' };
    await bench.as(ANN).send({ document: { ...farm, ...forged }, owner: BOB.did, option: { status: 'Approved' } });
    const { policyId } = await bench.open();
    expect(subjectsOf(bench)).toEqual([
      { ...farm, id: ANN.did, type: FARM.slice(1), '@context': [FARM_CONTEXT], policyId },
    ]);
    expect(ran(bench)[0]).toMatchObject({ owner: ANN.did, option: {} });
  });

  it('gives the subject an id of the kind that the policy wants', async () => {
    const ids: unknown[] = [];
    for (const idType of ['UUID', 'DID', 'OWNER', '']) {
      const bench = form({ idType });
      await bench.as(ANN).send({ document: farm });
      ids.push((subjectsOf(bench)[0] as JsonObject).id);
    }
    expect(ids).toEqual([expect.stringMatching(/^urn:uuid:/), expect.stringMatching(/^did:/), ANN.did, undefined]);
  });

  it('never takes an id from a client, whatever kind of id the policy wants', async () => {
    for (const idType of ['UUID', 'DID', 'OWNER', '']) {
      const bench = form({ idType });
      await bench.as(ANN).send({ document: { ...farm, id: 'did:test:bob' } });
      expect((subjectsOf(bench)[0] as JsonObject).id).not.toBe('did:test:bob');
    }
  });

  it('keeps and announces the document of a new identity', async () => {
    const bench = form({ idType: 'DID' });
    await bench.as(ANN).send({ document: farm });
    const { id } = subjectsOf(bench)[0] as JsonObject;
    const [identity] = await bench.documents();
    expect(identity).toMatchObject({ dataType: 'did-documents', owner: ANN.did, did: id, document: { id } });
    expect(identity?.messageId).toMatch(/^\d+\.\d{9}$/);
  });

  it('refuses what the schema does not want, with every place, and does nothing', async () => {
    const bench = form({ idType: 'DID' });
    await expect(bench.as(ANN).send({ document: { area: 'big', colour: 'red' } })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/VALIDATION.*\/document\/name is required/) as unknown,
      details: [
        { path: '/document/name', message: 'is required' },
        { path: '/document/colour', message: 'is not known here' },
        { path: '/document/area', message: 'must be number' },
      ],
    });
    expect(bench.emitted).toEqual([]);
    expect(await bench.documents()).toEqual([]);
  });

  it('takes the accounts that fields name, and the owner’s own', async () => {
    const bench = form();
    await bench.as(ANN).send({ document: { ...farm, account: '0.0.77' } });
    expect(ran(bench)[0]?.accounts).toEqual({
      account: '0.0.77',
      default: expect.stringMatching(/^0\.0\.\d+$/) as unknown,
    });
  });

  it('signs in the name of a group where the policy has groups', async () => {
    const group = '99999999-9999-4999-8999-999999999999';
    const grouped = form({}, { groups: [{ name: 'Farmers', creator: 'Farmer' }] });
    await grouped.as({ ...ANN, group }).send({ document: farm });
    expect(ran(grouped)[0]).toMatchObject({ group, document: { issuer: { id: ANN.did, group } } });
    const plain = form();
    await plain.as({ ...ANN, group }).send({ document: farm });
    expect(ran(plain)[0]).toMatchObject({ group, document: { issuer: ANN.did } });
  });

  it('makes what a verifier accepts', async () => {
    const bench = form({}, { children: [{ blockType: 'documentValidatorBlock', tag: 'validator' }] });
    await bench.as(ANN).send({ document: farm });
    expect(ran(bench)[0]?.document).toMatchObject({ proof: { cryptosuite: 'eddsa-jcs-2022' } });
  });

  it('cannot be sent anything but an object', async () => {
    for (const body of [null, {}, { document: 'x' }, { document: [] }, 5]) {
      await expect(form().as(ANN).send(body)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }
  });

  it('works with nothing but a schema of the policy', async () => {
    const unknown = form({ schema: '#nowhere' });
    await expect(unknown.as(ANN).send({ document: farm })).rejects.toMatchObject({ code: 'BLOCK_MISCONFIGURED' });
    expect(await form({ schema: '' }).findings()).toContainEqual(
      expect.objectContaining({ code: 'OPTIONS_INVALID', path: expect.stringMatching(/\/schema$/) as unknown }),
    );
  });
});

describe('what a form shows', () => {
  const source = { blockType: 'documentsSourceAddon', tag: 'mine', dataType: 'vc-documents', onlyOwnDocuments: true };

  it('is its schema, and the first document of its own sources that the user may see', async () => {
    const documents = [stored('b', BOB.did), stored('a', ANN.did)];
    const bench = form(
      { presetFields: [{ name: 'name', value: 'name' }], preset: true },
      { children: [source], documents },
    );
    expect(await bench.as(ANN).read()).toMatchObject({
      blockType: 'requestVcDocumentBlock',
      schema: { iri: FARM, document: { $id: FARM } },
      data: { id: 'a' },
      restoreData: null,
      presetFields: [{ name: 'name', value: 'name', readonly: false }],
    });
    expect(await bench.as({ role: 'Farmer', did: 'did:test:eve' }).read()).toMatchObject({ data: null });
  });

  it('is what was handed in to be filled in again, until it is', async () => {
    const bench = form();
    await bench.as(ANN).event('RestoreEvent', stored('a', ANN.did) as unknown as JsonObject);
    expect(await bench.as(ANN).read()).toMatchObject({ restoreData: { id: 'a' } });
    expect(await bench.as(BOB).read()).toMatchObject({ restoreData: null });
    await bench.as(ANN).send({ document: farm });
    expect(await bench.as(ANN).read()).toMatchObject({ restoreData: null });
  });
});
