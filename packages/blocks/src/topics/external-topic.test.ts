import { defineBlock, type Json, type JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench, type BlockSession } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { FARM, FARM_CONTEXT, READING, schemas } from '../../test/farm-schemas.js';
import { documentValidatorBlock } from '../forms/index.js';
import { externalTopicBlock, MESSAGES_AT_MOST } from './external-topic.js';

const farm = { type: FARM.slice(1), '@context': [FARM_CONTEXT], name: 'North field', area: 2 };

/** Signs subjects and publishes them; answers with the topic. `forged` changes a signed one, `revoke` takes it back. */
const publisher = defineBlock({
  type: 'benchPublisher',
  title: 'Publisher',
  description: 'Publishes documents.',
  kind: 'interface',
  input: z.array(z.record(z.string(), z.json())),
  async receive(ctx, documents) {
    const owner = ctx.user.did;
    const opened = await ctx.ledger.publish({ topic: 'root', type: 'note', owner });
    for (const { forged = {}, revoke = false, ...subject } of documents) {
      const document = await ctx.credentials.issue({ issuer: owner, subject });
      const hash = ctx.credentials.hash(document);
      const { id } = await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner, hash });
      const credentialSubject = [{ ...subject, ...(forged as JsonObject) }];
      await ctx.documents.add({ owner, hash, messageId: id, document: { ...document, credentialSubject } });
      if (revoke === true) await ctx.ledger.publish({ topic: 'root', type: 'revoke', owner, body: { revoke: id } });
    }
    return { topicId: opened.topicId };
  },
});

const source = {
  name: 'Source',
  description: 'Where documents come from',
  topicDescription: '',
  policyRoles: [],
  policyGroups: [],
  schemas,
  config: {
    blockType: 'benchPublisher',
    tag: 'publisher',
    id: 'f5a0c6a1-1f3b-4b1e-8f6a-3c2d1e0f9a8b',
    permissions: ['ANY_ROLE'],
  },
};

const bench = (children: object[] = []): BlockBench =>
  blockBench(externalTopicBlock, {
    roles: ['Farmer'],
    blocks: [publisher, documentValidatorBlock],
    policy: { schemas },
    options: { schema: FARM },
    children: [
      { blockType: 'documentsSourceAddon', tag: 'own', dataType: 'vc-documents', onlyOwnDocuments: true },
      ...(children as { blockType: string }[]),
    ],
    documents: [credential('registration', ANN.did)],
  });

/** Publishes in another policy, of the same owner unless another is named; resolves with the id of the topic. */
async function published(block: BlockBench, subjects: JsonObject[], did = ANN.did, by?: string): Promise<string> {
  const { engine, owner } = await block.open();
  const { policy } = await engine.importPolicy(by === undefined ? owner : { ...owner, did: by }, source);
  const caller = { did, role: 'USER' };
  const at = { tag: 'publisher' };
  const { topicId } = await engine.sendToBlock<{ topicId: string }>(caller, policy.id, at, subjects);
  return topicId;
}

const shown = async (session: BlockSession) => (await session.read()) as JsonObject;
const operate = (session: BlockSession, operation: string, value?: string): Promise<Json> =>
  session.send({ operation, value });

/** A bench on which Ann follows a topic of another policy. */
async function following(subjects: JsonObject[], block = bench()): Promise<BlockBench> {
  const topicId = await published(block, subjects);
  await operate(block.as(ANN), 'SetTopic', topicId);
  await operate(block.as(ANN), 'SetSchema', FARM_CONTEXT);
  return block;
}

describe('documents of another policy', () => {
  it('need a topic and a schema first, and show for each user how far they are', async () => {
    const block = bench();
    const topicId = await published(block, [farm]);
    expect(await shown(block.as(ANN))).toMatchObject({ status: 'NEED_TOPIC', documentTopicId: '', schemas: [] });
    await operate(block.as(ANN), 'SetTopic', topicId);
    expect(await shown(block.as(ANN))).toMatchObject({
      status: 'NEED_SCHEMA',
      documentTopicId: topicId,
      policyMessage: { description: 'Where documents come from' },
      schemas: [
        { id: FARM_CONTEXT, name: 'Farm ', status: 'NOT_VERIFIED' },
        { id: `schema:${READING.slice(1)}`, status: 'NOT_VERIFIED' },
      ],
    });
    await operate(block.as(ANN), 'VerificationSchemas');
    expect(await shown(block.as(ANN))).toMatchObject({
      schemas: [{ status: 'COMPATIBLE' }, { status: 'INCOMPATIBLE' }],
    });
    await operate(block.as(ANN), 'SetSchema', FARM_CONTEXT);
    expect(await shown(block.as(ANN))).toMatchObject({ status: 'FREE', schema: { id: FARM_CONTEXT } });
    expect(await shown(block.as(BOB))).toMatchObject({ status: 'NEED_TOPIC' });
  });

  it('are taken in once, as documents of the user that build on their own', async () => {
    const block = await following([farm, { ...farm, name: 'South field' }]);
    await operate(block.as(ANN), 'LoadDocuments');
    expect(
      sent(block).map(({ document }) => (document as { credentialSubject: unknown }).credentialSubject),
    ).toMatchObject([[{ name: 'North field' }], [{ name: 'South field' }]]);
    const [first] = sent(block);
    expect(first).toMatchObject({ owner: ANN.did, group: ANN.group, schema: FARM, signature: 1 });
    expect(first?.relationships).toEqual(['1.registration', expect.stringMatching(/^\d+\.\d{9}$/)]);
    expect(await block.documents()).toHaveLength(1);
    await operate(block.as(ANN), 'LoadDocuments');
    expect(sent(block)).toHaveLength(2);
  });

  it('are passed over where they are of others, of another schema, changed, revoked or not valid', async () => {
    const block = await following([
      { ...farm, forged: { area: 1_000_000 } },
      { ...farm, revoke: true },
      { ...farm, area: 'much' },
      { type: READING.slice(1), '@context': [`schema:${READING.slice(1)}`], value: 1 },
      { ...farm, name: 'the good one' },
    ]);
    await operate(block.as(ANN), 'LoadDocuments');
    expect(sent(block)).toHaveLength(1);
    const { engine, policyId, owner } = await block.open();
    const journal = JSON.stringify((await engine.journal.list(owner, policyId)).items);
    expect(journal.match(/was not taken in/g)).toHaveLength(2);

    const others = bench();
    await operate(others.as(ANN), 'SetTopic', await published(others, [farm], BOB.did));
    await operate(others.as(ANN), 'SetSchema', FARM_CONTEXT);
    await operate(others.as(ANN), 'LoadDocuments');
    expect(sent(others)).toEqual([]);
  });

  it('are judged by the validators of the block', async () => {
    const validator = {
      blockType: 'documentValidatorBlock',
      tag: 'large',
      documentType: 'vc-document',
      conditions: [{ type: 'equal', field: 'document.credentialSubject.0.area', value: '3' }],
    };
    const block = await following([farm, { ...farm, area: 3 }], bench([validator]));
    await operate(block.as(ANN), 'LoadDocuments');
    expect(sent(block)).toHaveLength(1);
  });

  it('are looked for every night, in the name of each user that follows a topic', async () => {
    const block = await following([farm]);
    await block.as('OWNER').event('TickEvent');
    expect(sent(block)).toMatchObject([{ owner: ANN.did, group: ANN.group }]);
    const next = externalTopicBlock.timetable?.({ schema: FARM }).next(Date.UTC(2026, 0, 1, 5));
    expect(next).toBe(Date.UTC(2026, 0, 2));
  });

  it('come in portions, each behind the last', async () => {
    const block = await following(Array.from({ length: MESSAGES_AT_MOST + 5 }, () => ({ ...farm })));
    await operate(block.as(ANN), 'LoadDocuments');
    const first = sent(block).length;
    await operate(block.as(ANN), 'LoadDocuments');
    expect([first < MESSAGES_AT_MOST + 5, sent(block).length]).toEqual([true, MESSAGES_AT_MOST + 5]);
  });

  it('are never of a policy of another owner, nor of this one', async () => {
    const block = bench();
    const theirs = await published(block, [farm], ANN.did, 'did:test:other-registry');
    await expect(operate(block.as(ANN), 'SetTopic', theirs)).rejects.toThrow('there is no topic');
    await expect(operate(block.as(ANN), 'SetTopic', 'nonsense')).rejects.toThrow('the id of a topic');
  });

  it('are never of a trial, once the policy is published', async () => {
    const block = bench();
    const topicId = await published(block, [farm]);
    const { engine, policyId, owner } = await block.open();
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    await expect(operate(block.as(ANN), 'SetTopic', topicId)).rejects.toThrow('there is no topic');
  });

  it('take one step after the other, and can be started again', async () => {
    const block = bench();
    await expect(operate(block.as(ANN), 'SetSchema', FARM_CONTEXT)).rejects.toThrow('a topic must be chosen first');
    await expect(operate(block.as(ANN), 'LoadDocuments')).rejects.toThrow('must be chosen first');
    const topicId = await published(block, [farm]);
    await operate(block.as(ANN), 'SetTopic', topicId);
    await expect(operate(block.as(ANN), 'SetTopic', topicId)).rejects.toThrow('chosen already');
    await expect(operate(block.as(ANN), 'SetSchema', `schema:${READING.slice(1)}`)).rejects.toThrow('other fields');
    await expect(operate(block.as(ANN), 'VerificationSchema', 'none')).rejects.toThrow('no such schema');
    await operate(block.as(ANN), 'Restart');
    expect(await shown(block.as(ANN))).toMatchObject({ status: 'NEED_TOPIC' });
    await expect(operate(block.as(ANN), 'Explode')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
