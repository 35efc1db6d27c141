import { createEngine, type Caller } from '@blockwork/core';
import {
  defineBlock,
  type DocumentInput,
  type DocumentRecord,
  type Json,
  type JsonObject,
} from '@blockwork/core/block';
import {
  block,
  blockBench,
  keyHolder,
  SequentialIds,
  SimulatedClock,
  type BlockBench,
  type BlockFragment,
} from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { FARM, READING, schemas } from '../../test/farm-schemas.js';
import { documentValidatorBlock } from './document-validator.js';
import { externalDataBlock } from './external-data.js';
import { requestVcDocumentBlock } from './request-vc-document.js';

/** Signs whatever it is given, as a device of the user would. */
const device = defineBlock({
  type: 'device',
  title: 'Device',
  description: 'Signs.',
  kind: 'interface',
  input: z.custom<JsonObject>(),
  receive: (ctx, subject) => ctx.credentials.issue({ issuer: ctx.user.did, subject }),
});

/** Gives out one id again and again, as an issuer that forgets what it has issued. */
class RepeatingIds extends SequentialIds {
  repeated: string | undefined;
  override uuid(): string {
    return this.repeated ?? super.uuid();
  }
}

const registry: Caller = { did: 'did:test:registry', role: 'STANDARD_REGISTRY' };

interface Setup {
  readonly options?: JsonObject;
  readonly children?: readonly BlockFragment[];
  readonly beside?: readonly BlockFragment[];
  readonly documents?: readonly DocumentInput[];
}

/** Beside the block there are two forms, which make signed credentials to hand in. */
const outside = ({ options = {}, children = [], beside = [], documents = [] }: Setup = {}): BlockBench =>
  blockBench(externalDataBlock, {
    roles: ['Farmer'],
    blocks: [requestVcDocumentBlock, documentValidatorBlock, device],
    policy: { schemas },
    options: { tag: 'block', ...options },
    children,
    documents,
    parent: {
      blockType: 'interfaceContainerBlock',
      children: [
        { blockType: 'requestVcDocumentBlock', tag: 'farm form', schema: FARM, idType: 'OWNER', stopPropagation: true },
        {
          blockType: 'requestVcDocumentBlock',
          tag: 'device form',
          schema: READING,
          idType: 'DID',
          stopPropagation: true,
        },
        { blockType: 'device', tag: 'device' },
        ...beside,
      ],
    },
  });

const signed = async (bench: BlockBench, user = ANN): Promise<JsonObject> => {
  const answer = (await bench
    .as(user)
    .at('farm form')
    .send({ document: { name: 'North', account: '0.0.7' } })) as JsonObject;
  return answer.document as JsonObject;
};

/** Both are members of the policy. */
const join = async (bench: BlockBench): Promise<void> => {
  for (const user of [ANN, BOB]) await bench.as(user).availability();
};

const handIn = async (bench: BlockBench, document: unknown, owner = ANN.did, ref: Json = null, tag?: string) => {
  await join(bench);
  const { engine, policyId, owner: caller } = await bench.open();
  await engine.submitExternal(caller, { owner, document, ref }, { policyId, ...(tag !== undefined && { tag }) });
};

describe('data from outside', () => {
  it('is sent on in the name of its owner, and not stored', async () => {
    const bench = outside({ options: { entityType: 'MRV' } });
    const document = await signed(bench);
    await handIn(bench, document);
    expect(sent(bench)).toMatchObject([
      { owner: ANN.did, group: ANN.group, type: 'MRV', schema: FARM, document, accounts: { account: '0.0.7' } },
    ]);
    expect(bench.emitted.map(({ output, did }) => [output, did])).toEqual([
      ['RunEvent', ANN.did],
      ['ReleaseEvent', ANN.did],
      ['RefreshEvent', ANN.did],
    ]);
    expect(await bench.documents()).toEqual([]);
  });

  it('is of the type of its schema where the policy gives it none', async () => {
    const bench = outside();
    await handIn(bench, await signed(bench));
    expect(sent(bench)[0]).toMatchObject({ type: FARM, schema: FARM });
  });

  it('is tied to what it refers to', async () => {
    const bench = outside({ documents: [credential('farm', ANN.did, {}, { tokens: { credit: '0.0.9' } })] });
    await handIn(bench, await signed(bench), ANN.did, 'urn:subject:farm');
    expect(sent(bench)[0]).toMatchObject({ relationships: ['1.farm'], tokens: { credit: '0.0.9' } });
  });

  it('may be signed by an identity that was made for the owner', async () => {
    const bench = outside();
    const device = (await bench
      .as(ANN)
      .at('device form')
      .send({ document: { value: 1 } })) as JsonObject;
    const [{ id: did } = { id: '' }] = (device.document as JsonObject).credentialSubject as { id: string }[];
    const ofDevice = await signed(bench, { ...ANN, did });
    await handIn(bench, ofDevice);
    expect(sent(bench)[0]).toMatchObject({ owner: ANN.did, document: { issuer: did } });
    const other = await signed(bench, { ...ANN, did });
    await expect(handIn(bench, other, BOB.did)).rejects.toThrow('nothing to do with');
  });

  it('may be signed by any of several identities that were made for the owner, and by none of somebody else', async () => {
    const bench = outside();
    const identityOf = async (user: typeof ANN): Promise<string> => {
      const answer = (await bench
        .as(user)
        .at('device form')
        .send({ document: { value: 1 } })) as JsonObject;
      return ((answer.document as JsonObject).credentialSubject as { id: string }[])[0]?.id ?? '';
    };
    const mine = [await identityOf(ANN), await identityOf(ANN)];
    const theirs = await identityOf(BOB);
    for (const did of mine) await handIn(bench, await signed(bench, { ...ANN, did }));
    expect(sent(bench).map(({ document }) => (document as JsonObject).issuer)).toEqual(mine);
    const document = await signed(bench, { ...ANN, did: theirs });
    await expect(handIn(bench, document)).rejects.toThrow('nothing to do with');
  });

  it('goes to the block that has its schema, where there are several', async () => {
    const beside = [{ blockType: 'externalDataBlock', tag: 'readings', schema: READING, stopPropagation: true }];
    const bench = outside({ options: { schema: FARM }, beside });
    await handIn(bench, await signed(bench));
    expect(sent(bench)).toHaveLength(1);
    await expect(handIn(outside({ options: { schema: READING } }), await signed(bench))).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
  });

  it('passes the validators, or is refused', async () => {
    const children = [{ blockType: 'documentValidatorBlock', tag: 'v', checkOwnerDocument: true, schema: READING }];
    const bench = outside({ children });
    await expect(handIn(bench, await signed(bench))).rejects.toThrow('Invalid document schema');
    expect(bench.emitted).toEqual([]);
  });
});

describe('data from outside that cannot be believed', () => {
  const refused = async (change: (document: JsonObject) => unknown, why: RegExp, options: JsonObject = {}) => {
    const bench = outside({ options });
    const document = await signed(bench);
    await expect(handIn(bench, change(document))).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
      message: expect.stringMatching(why) as unknown,
    });
    expect(bench.emitted).toEqual([]);
    expect(await bench.documents()).toEqual([]);
    // It has left no trace either: the true one is taken in.
    await handIn(bench, document);
    expect(sent(bench)).toHaveLength(1);
  };
  const subject = (document: JsonObject): JsonObject => (document.credentialSubject as JsonObject[])[0] ?? {};

  it('is refused with a changed subject, issuer, date or proof', async () => {
    await refused((document) => ({ ...document, credentialSubject: [{ ...subject(document), name: 'South' }] }), /./);
    await refused((document) => ({ ...document, issuer: BOB.did }), /./);
    await refused((document) => ({ ...document, issuanceDate: '2020-01-01T00:00:00.000Z' }), /./);
    await refused(({ proof: _proof, ...document }) => document, /./);
    await refused((document) => ({ ...document, proof: { ...(document.proof as object), proofValue: 'z1' } }), /./);
    await refused(() => ({}), /./);
    await refused(() => credential('x', ANN.did).document, /./);
  });

  it('is refused when it is signed by somebody else', async () => {
    const bench = outside();
    await expect(handIn(bench, await signed(bench, BOB), ANN.did)).rejects.toThrow('nothing to do with');
    expect(bench.emitted).toEqual([]);
  });

  it('is refused when a stranger signed it, though it refers to a document of the owner', async () => {
    const bench = outside({ documents: [credential('farm', ANN.did)] });
    const document = await signed(bench, BOB);
    await expect(handIn(bench, document, ANN.did, 'urn:subject:farm')).rejects.toThrow('nothing to do with');
    expect(bench.emitted).toEqual([]);
  });

  it('is refused when its signer is the subject of another document than the one referred to', async () => {
    const documents = [
      credential('mine', ANN.did, { id: 'did:test:meter' }),
      credential('other', ANN.did, { id: 'did:test:other' }),
    ];
    const bench = outside({ documents });
    const document = await signed(bench, { ...ANN, did: 'did:test:meter' });
    await expect(handIn(bench, document, ANN.did, { id: 'other' })).rejects.toThrow('nothing to do with');
    await handIn(bench, document, ANN.did, { id: 'mine' });
    expect(sent(bench)).toMatchObject([{ owner: ANN.did, document: { issuer: 'did:test:meter' } }]);
  });

  it('is refused when its signer only begins like the identity of its owner', async () => {
    const bench = outside();
    for (const did of [`${ANN.did}e`, `${ANN.did}:key`, ANN.did.slice(0, -1)]) {
      const document = await signed(bench, { ...ANN, did });
      await expect(handIn(bench, document)).rejects.toThrow('nothing to do with');
    }
    expect(bench.emitted).toEqual([]);
  });

  it('is refused when its signer is the subject of a document that the owner sees, but that is not theirs', async () => {
    const documents = [credential('shown', BOB.did, { id: 'did:test:meter' }, { assignedTo: ANN.did })];
    const bench = outside({ documents });
    const document = await signed(bench, { ...ANN, did: 'did:test:meter' });
    await expect(handIn(bench, document, ANN.did, { id: 'shown' })).rejects.toThrow('nothing to do with');
  });

  it('is refused when its owner is no member, unless the block is open to others', async () => {
    for (const allowNonMembers of [false, true]) {
      const bench = outside({ options: { allowNonMembers } });
      const document = await signed(bench);
      const { engine, policyId, owner } = await bench.open();
      const submission = engine.submitExternal(owner, { owner: 'did:test:nobody', document }, { policyId });
      await expect(submission).rejects.toMatchObject({
        code: allowNonMembers ? 'CREDENTIAL_INVALID' : 'OWNER_NOT_MEMBER',
      });
    }
  });

  it('is refused with a reference that the owner may not make', async () => {
    const bench = outside({ documents: [credential('farm', BOB.did)] });
    const document = await signed(bench);
    for (const ref of ['urn:subject:farm', { id: 'farm' }, 'urn:nothing']) {
      await expect(handIn(bench, document, ANN.did, ref)).rejects.toThrow('Invalid relationships');
    }
    expect(bench.emitted).toEqual([]);
  });

  it('is refused when it was made for another policy', async () => {
    const bench = outside();
    const document = await bench
      .as(ANN)
      .at('device')
      .send({ type: FARM.slice(1), name: 'North', policyId: 'other' });
    await expect(handIn(bench, document)).rejects.toThrow('made for another policy');
    expect(bench.emitted).toEqual([]);
  });

  it('is taken in once', async () => {
    const bench = outside();
    const document = await signed(bench);
    await handIn(bench, document);
    await handIn(bench, document);
    await handIn(bench, { ...document });
    expect(sent(bench)).toHaveLength(1);
    await handIn(bench, await signed(bench));
    expect(sent(bench)).toHaveLength(2);
  });

  it('is refused when its subject is not as the schema wants it, with every place', async () => {
    for (const options of [{}, { schema: FARM }]) {
      const bench = outside({ options });
      const document = await bench
        .as(ANN)
        .at('device')
        .send({ type: FARM.slice(1), area: 'big', colour: 1 });
      await expect(handIn(bench, document)).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        details: [
          { path: '/document/credentialSubject/0/name', message: 'is required' },
          { path: '/document/credentialSubject/0/colour', message: 'is not known here' },
          { path: '/document/credentialSubject/0/area', message: 'must be number' },
        ],
      });
      expect(bench.emitted).toEqual([]);
    }
  });

  it('is taken as it is where the policy knows no schema of it', async () => {
    const bench = outside();
    await handIn(bench, await bench.as(ANN).at('device').send({ type: 'unknown', value: 1 }));
    expect(sent(bench)[0]).not.toHaveProperty('schema');
  });

  it('is refused without its proof, also where the whole of it was taken in before', async () => {
    const bench = outside();
    const document = await signed(bench);
    await handIn(bench, document);
    const { proof: _proof, ...unsigned } = document;
    await expect(handIn(bench, { ...unsigned, credentialSubject: [] })).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
    expect(sent(bench)).toHaveLength(1);
  });

  it('is refused under an id that was used for another content, though both are well signed', async () => {
    const ids = new RepeatingIds();
    const engine = createEngine({ clock: new SimulatedClock(), ids, blocks: [externalDataBlock, device] });
    const { policy } = await engine.importPolicy(registry, {
      name: 'Outside',
      config: block('interfaceContainerBlock', 'root', {
        children: [block('device', 'device'), block('externalDataBlock', 'outside')],
      }),
    });
    const take = (document: Json): Promise<unknown> =>
      engine.submitExternal(registry, { owner: registry.did, document, ref: null }, { policyId: policy.id });
    const sign = (value: number): Promise<Json> =>
      engine.sendToBlock(registry, policy.id, { tag: 'device' }, { type: 'unknown', value });
    await sign(0);
    ids.repeated = '00000000-0000-4000-8000-0000000000ff';
    const [one, other] = [(await sign(1)) as JsonObject, (await sign(2)) as JsonObject];
    ids.repeated = undefined;
    expect([other.id, other.issuanceDate]).toEqual([one.id, one.issuanceDate]);

    await take(one);

    await expect(take(other)).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
      message: expect.stringContaining('there is another one with the same id and date') as string,
    });
    await take(one);
    await engine.close();
  });
});

describe('a device that a member has registered', () => {
  it('signs for them, and is handed in for them or for itself', async () => {
    const bench = outside();
    const { engine, policyId, owner } = await bench.open();
    await join(bench);
    const meter = await keyHolder('meter', bench.clock);
    const reading = (id: string) => meter.sign({ id, credentialSubject: [{ type: 'unknown', value: 1 }] });
    await expect(handIn(bench, await reading('urn:1'))).rejects.toThrow('nothing to do with');
    const ann: Caller = { did: ANN.did, role: 'USER' };
    await engine.identities.register(ann, { registration: await meter.registration(ANN.did) });
    await handIn(bench, await reading('urn:1'));
    await engine.submitExternal(owner, { owner: meter.did, document: await reading('urn:2') }, { policyId });
    expect(sent(bench)).toMatchObject([{ owner: ANN.did }, { owner: ANN.did }]);
    await expect(handIn(bench, await reading('urn:3'), BOB.did)).rejects.toThrow('nothing to do with');
  });
});

describe('the owner of data from outside', () => {
  it('has the policy’s own identity behind it too', async () => {
    const bench = outside();
    const owner = { ...ANN, did: 'did:bench:owner' };
    await handIn(bench, await signed(bench, owner), ANN.did);
    expect((sent(bench)[0] as unknown as DocumentRecord).owner).toBe(ANN.did);
  });
});
