import type { JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench, type BlockSession } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, sent } from '../../test/documents.js';
import { FARM, FARM_CONTEXT, schemas } from '../../test/farm-schemas.js';
import { documentMaker, STREAM, writingPolicy } from '../../test/stream-policies.js';
import { documentValidatorBlock } from '../forms/index.js';
import { EVENTS_AT_MOST, globalEventsReaderBlock } from './global-events-reader.js';
import { globalEventsWriterBlock } from './global-events-writer.js';

const farm = { type: FARM.slice(1), '@context': [FARM_CONTEXT], name: 'North field', area: 2 };

const branches = [{ branchEvent: 'farms', documentType: 'vc', schema: FARM }];

const bench = (options: JsonObject = {}, children: object[] = []): BlockBench =>
  blockBench(globalEventsReaderBlock, {
    roles: ['Farmer'],
    blocks: [documentMaker, globalEventsWriterBlock, documentValidatorBlock],
    policy: { schemas },
    options: { eventTopics: [{ topicId: STREAM }], branches, ...options },
    children: children as { blockType: string }[],
  });

/** Has the subjects announced by another policy, of the same owner unless another is named. */
async function announced(block: BlockBench, subjects: JsonObject[], by?: string): Promise<string> {
  const { engine, owner } = await block.open();
  const { policy } = await engine.importPolicy(by === undefined ? owner : { ...owner, did: by }, writingPolicy());
  await engine.sendToBlock({ did: ANN.did, role: 'USER' }, policy.id, { tag: 'maker' }, subjects);
  return policy.id;
}

const next = (session: BlockSession) => session.send({ operation: 'Next' });
const streamOf = async (session: BlockSession) => ((await session.read()) as { streams: JsonObject[] }).streams[0];

describe('a reader of global events', () => {
  it('takes each announced document in once, as a document of whoever reads', async () => {
    const block = bench();
    await announced(block, [farm, { ...farm, name: 'South field' }]);
    await next(block.as(BOB));
    expect(sent(block, 'farms').map(({ document }) => document)).toMatchObject([
      { issuer: ANN.did, credentialSubject: [{ name: 'North field' }] },
      { credentialSubject: [{ name: 'South field' }] },
    ]);
    const [first] = sent(block, 'farms');
    expect(first).toMatchObject({ owner: BOB.did, group: BOB.group, schema: FARM, signature: 1 });
    expect(first?.relationships).toEqual([first?.messageId]);
    await next(block.as(BOB));
    expect(sent(block, 'farms')).toHaveLength(2);
    expect(await streamOf(block.as(BOB))).toMatchObject({ globalTopicId: STREAM, taken: 2, setAside: 0 });
  });

  it('looks every half hour for those who have begun to read, and for nobody else', async () => {
    const block = bench();
    await block.as('OWNER').event('TickEvent');
    await block.as(BOB).event('RunEvent');
    await announced(block, [farm]);
    await block.as('OWNER').event('TickEvent');
    expect(sent(block, 'farms')).toMatchObject([{ owner: BOB.did, group: BOB.group }]);
    const next = globalEventsReaderBlock.timetable?.({}).next(Date.UTC(2026, 0, 1, 5, 1));
    expect(next).toBe(Date.UTC(2026, 0, 1, 5, 30));
  });

  it('sets aside and counts what is forged, revoked, or not what its schema asks for', async () => {
    const block = bench();
    await announced(block, [
      { ...farm, forged: { area: 1_000_000 } },
      { ...farm, revoke: true },
      { ...farm, area: 'much' },
      { ...farm, name: 'the good one' },
    ]);
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toHaveLength(1);
    expect(await streamOf(block.as(ANN))).toMatchObject({ taken: 1, setAside: 3 });
    const { engine, policyId, owner } = await block.open();
    const journal = JSON.stringify((await engine.journal.list(owner, policyId)).items);
    expect(journal.match(/An event was set aside/g)).toHaveLength(3);
  });

  it('gets nothing of streams that its policy does not declare, and nobody can add any', async () => {
    const block = bench({ eventTopics: [{ topicId: 'another' }] });
    await announced(block, [farm]);
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toEqual([]);
    const streams = [{ globalTopicId: STREAM, active: true }];
    await expect(block.as(ANN).send({ operation: 'Update', value: { streams } })).rejects.toThrow('declares no stream');
    for (const operation of ['AddTopic', 'CreateTopic', 'Delete']) {
      await expect(block.as(ANN).send({ operation, value: { streams } })).rejects.toThrow('the policy declares');
    }
  });

  it('gets nothing of policies of other owners', async () => {
    const block = bench();
    await announced(block, [farm], 'did:test:other-registry');
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toEqual([]);
  });

  it('gets nothing of a trial, once its policy is published', async () => {
    const block = bench();
    await announced(block, [farm]);
    const { engine, policyId, owner } = await block.open();
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toEqual([]);
  });

  it('lets each user switch streams off, and narrow branches by fields', async () => {
    const block = bench();
    const filterFieldsByBranch = { farms: { name: 'South field' } };
    const update = (change: JsonObject) => ({
      operation: 'Update',
      value: { streams: [{ globalTopicId: STREAM, ...change }] },
    });
    await block.as(ANN).send(update({ active: false }));
    await block.as(BOB).send(update({ active: true, filterFieldsByBranch }));
    await announced(block, [farm, { ...farm, name: 'South field' }]);
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toEqual([]);
    await next(block.as(BOB));
    expect(sent(block, 'farms')).toMatchObject([{ document: { credentialSubject: [{ name: 'South field' }] } }]);
  });

  it('asks the validators within it', async () => {
    const validator = {
      blockType: 'documentValidatorBlock',
      tag: 'large',
      documentType: 'vc-document',
      conditions: [{ type: 'equal', field: 'document.credentialSubject.0.area', value: '3' }],
    };
    const block = bench({}, [validator]);
    await announced(block, [farm, { ...farm, area: 3 }]);
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toHaveLength(1);
  });

  it('passes documents of other types to branches that ask for none in particular', async () => {
    const all = [
      { branchEvent: 'farms', documentType: 'vc', schema: FARM },
      { branchEvent: 'tables', documentType: 'csv', schema: '' },
      { branchEvent: 'everything', documentType: '', schema: '' },
    ];
    const block = bench({ branches: all });
    await announced(block, [farm]);
    await next(block.as(ANN));
    expect(['farms', 'tables', 'everything'].map((output) => sent(block, output).length)).toEqual([1, 0, 1]);
  });

  it('takes many events in portions, each behind the last', async () => {
    const block = bench();
    await announced(
      block,
      Array.from({ length: EVENTS_AT_MOST + 5 }, () => farm),
    );
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toHaveLength(EVENTS_AT_MOST);
    await next(block.as(ANN));
    expect(sent(block, 'farms')).toHaveLength(EVENTS_AT_MOST + 5);
  });

  it.each<[JsonObject, string]>([
    [{ eventTopics: [] }, 'declares no stream'],
    [{ eventTopics: [{ topicId: 'no good' }] }, 'cannot be the id of a stream'],
    [{ eventTopics: [{ topicId: STREAM }, { topicId: STREAM }] }, 'declared twice'],
    [{ branches: [{ documentType: 'vc' }] }, 'has no name'],
  ])('is found to be misconfigured: %j', async (options, message) => {
    const findings = await bench(options).findings();
    expect(findings.map((each) => each.message).join('\n')).toContain(message);
  });
});
