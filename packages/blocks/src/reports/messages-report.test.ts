import { defineBlock, type Json, type JsonObject } from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { signedBench, TOKEN, type SignedBench } from '../../test/signed-documents.js';
import { mintDocumentBlock } from '../tokens/index.js';
import { MESSAGES_AT_MOST, messagesReportBlock } from './messages-report.js';

const bench = (): SignedBench =>
  signedBench(messagesReportBlock, {
    parent: {
      blockType: 'interfaceContainerBlock',
      tag: 'page',
      children: [
        { blockType: 'mintDocumentBlock', tag: 'mintTokens', tokenId: TOKEN, rule: 'n', stopPropagation: true },
      ],
    },
    blocks: [mintDocumentBlock()],
  });

/** A registration, a request that builds on it, and what was minted for the request; and a document beside them. */
async function minted(block: SignedBench) {
  const [registration] = await block.signed('installer', { subject: { id: 'urn:plant' }, type: 'registration' });
  await block.signed('installer', { subject: { id: 'urn:other' }, type: 'registration' });
  const relationships = [registration?.messageId ?? ''];
  const [request] = await block.signed('installer', { subject: { n: 3 }, type: 'request', relationships });
  await block
    .as('OWNER')
    .at('mintTokens')
    .event('RunEvent', request as unknown as Json);
  const documents = await block.documents();
  const presentation = documents.find(({ dataType }) => dataType === 'vp-documents');
  return { registration, request, presentation, credential: documents.find(({ type }) => type === 'mint') };
}

const read = async (block: SignedBench) => (await block.as('Auditor').read()) as JsonObject;
const topics = (report: Json | undefined) => (report as { topics: JsonObject[] }).topics;

describe('a report of messages', () => {
  it('has nothing to show before a message is chosen', async () => {
    expect(await read(bench())).toEqual({
      id: expect.any(String) as unknown,
      blockType: 'messagesReportBlock',
      actionType: 'local',
      readonly: false,
    });
  });

  it('goes from a presentation back to all that it builds on, and to nothing else', async () => {
    const block = bench();
    const { registration, request, presentation, credential } = await minted(block);
    expect(await block.as('Auditor').send({ filterValue: presentation?.hash })).toBe(true);
    const { target, report, status } = await read(block);
    expect([target, status]).toEqual([presentation?.messageId, 'FINISHED']);
    const [root] = topics(report);
    expect(root).toMatchObject({
      topicId: presentation?.topicId,
      parent: null,
      children: [],
      message: { type: 'Topic', messageType: 'INSTANCE_POLICY_TOPIC' },
      messages: [
        { id: registration?.messageId, order: 0, type: 'VC-Document' },
        { id: request?.messageId, order: 1 },
        { id: credential?.messageId, order: 2, type: 'VC-Document' },
        { id: presentation?.messageId, order: 3, type: 'VP-Document', document: presentation?.document },
      ],
    });
    expect(report).toMatchObject({
      tokens: [{ tokenId: TOKEN, name: 'Carbon', symbol: 'CO2', type: 'fungible', decimals: 4 }],
      users: [{ did: 'did:bench:installer' }, { did: expect.any(String) as unknown }],
    });
    expect(report).not.toHaveProperty('truncated');
  });

  it('takes the hash of a credential and the id of a message as well', async () => {
    const block = bench();
    const { registration, request } = await minted(block);
    await block.as('Auditor').send({ filterValue: request?.hash });
    expect((await read(block)).target).toBe(request?.messageId);
    await block.as('Auditor').send({ filterValue: ` ${registration?.messageId ?? ''} ` });
    const { target, report } = await read(block);
    expect(target).toBe(registration?.messageId);
    expect(topics(report)[0]?.messages).toHaveLength(1);
  });

  it('is kept for each user, and cleared by an empty value', async () => {
    const block = bench();
    const { request } = await minted(block);
    await block.as('Auditor').send({ filterValue: request?.hash });
    expect(await block.as('Farmer').read()).not.toHaveProperty('target');
    expect(await block.as('Auditor').send({ filterValue: null })).toBe(false);
    expect(await read(block)).not.toHaveProperty('target');
  });

  it('has failed where the policy has no such message', async () => {
    const block = bench();
    expect(await block.as('Auditor').send({ filterValue: '1.000000001' })).toBe(true);
    expect(await read(block)).toMatchObject({ target: '1.000000001', report: null, status: 'FAILED' });
  });

  it('has each message once, whatever leads to it, and ends at its limit', async () => {
    const block = signedBench(messagesReportBlock, {
      parent: {
        blockType: 'interfaceContainerBlock',
        tag: 'page',
        children: [{ blockType: 'benchPublisher', tag: 'publisher' }],
      },
      blocks: [publisher],
    });
    const ids = (await block
      .as('OWNER')
      .at('publisher')
      .send(MESSAGES_AT_MOST + 1)) as string[];
    await block.as('Auditor').send({ filterValue: ids[3] });
    expect(messagesOf((await read(block)).report).map(({ id }) => id)).toEqual(ids.slice(0, 4));
    await block.as('Auditor').send({ filterValue: ids.at(-1) });
    const { report } = await read(block);
    expect(report).toMatchObject({ truncated: true });
    const shown = messagesOf(report).map(({ id }) => id);
    expect(new Set(shown).size).toBe(MESSAGES_AT_MOST);
    expect([shown.at(-1), shown.at(-2)]).toEqual([ids.at(-1), ids.at(-2)]);
  });
});

const messagesOf = (report: Json | undefined) => topics(report)[0]?.messages as JsonObject[];

/** Publishes this many messages, each referring to the two before it. */
const publisher = defineBlock({
  type: 'benchPublisher',
  title: 'Publisher',
  description: 'Publishes messages.',
  kind: 'interface',
  input: z.number(),
  async receive(ctx, count) {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const message = { topic: 'root', type: 'note', owner: ctx.user.did, relationships: ids.slice(-2) };
      ids.push((await ctx.ledger.publish(message)).id);
    }
    return ids;
  },
});
