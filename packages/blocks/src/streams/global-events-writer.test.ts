import { MemoryStore } from '@blockwork/core';
import type { JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANN, BOB, credential, sent } from '../../test/documents.js';
import { STREAM } from '../../test/stream-policies.js';
import { globalEventsWriterBlock } from './global-events-writer.js';

afterEach(() => void vi.restoreAllMocks());

const published = (id: string) => credential(id, ANN.did, {}, { hash: `hash of ${id}`, topicId: '0.0.9' });

const bench = (options: JsonObject = {}): BlockBench =>
  blockBench(globalEventsWriterBlock, {
    roles: ['Farmer'],
    options: { topicIds: [{ topicId: STREAM }, { topicId: 'quiet', active: false, documentType: 'any' }], ...options },
  });

/** What the block has announced, as the store has it. */
const watched = () => vi.spyOn(MemoryStore.prototype, 'commit');
let commits: ReturnType<typeof watched>;
beforeEach(() => {
  commits = watched();
});

function announcements(): JsonObject[] {
  return commits.mock.calls.flatMap(([{ changes }]) =>
    changes.flatMap((change) =>
      change.kind === 'stream-event' && change.op === 'put' ? [change.value as unknown as JsonObject] : [],
    ),
  );
}

describe('a writer of global events', () => {
  it('announces each published document on the active streams, and passes its data on', async () => {
    const block = bench();
    const data = [published('one'), { ...credential('two', ANN.did), messageId: null }] as never;
    await block.as(ANN).event('RunEvent', data);
    expect(announcements()).toMatchObject([
      { stream: STREAM, documentType: 'vc', messageId: '1.one', topicId: '0.0.9', hash: 'hash of one', document: null },
    ]);
    expect(sent(block)).toHaveLength(1);
    expect(sent(block, 'ReleaseEvent')).toHaveLength(1);
  });

  it('lets each user switch the declared streams on and off', async () => {
    const block = bench();
    const streams = [
      { globalTopicId: STREAM, active: false },
      { globalTopicId: 'quiet', active: true, documentType: 'json' },
    ];
    await block.as(ANN).send({ operation: 'Update', value: { streams } });
    expect(await block.as(ANN).read()).toMatchObject({ streams, defaultTopicIds: [STREAM, 'quiet'] });
    expect(await block.as(BOB).read()).toMatchObject({ streams: [{ active: true }, { active: false }] });
    await block.as(ANN).event('RunEvent', published('one') as never);
    await block.as(BOB).event('RunEvent', published('two') as never);
    expect(announcements()).toMatchObject([
      { stream: 'quiet', documentType: 'json', messageId: '1.one' },
      { stream: STREAM, documentType: 'vc', messageId: '1.two' },
    ]);
  });

  it('waits for the user to go on, where it has a button for that', async () => {
    const block = bench({ showNextButton: true });
    const operation = 'Next';
    await expect(block.as(ANN).send({ operation })).rejects.toThrow('nothing waits to go on');
    await block.as(ANN).event('RunEvent', published('one') as never);
    expect(sent(block)).toEqual([]);
    expect(await block.as(ANN).read()).toMatchObject({ waiting: true, showNextButton: true });
    await block.as(ANN).send({ operation });
    expect(sent(block)).toMatchObject([{ messageId: '1.one' }]);
    await expect(block.as(ANN).send({ operation })).rejects.toThrow('nothing waits to go on');
  });

  it('takes no streams that its policy does not declare', async () => {
    const block = bench();
    const value = { streams: [{ globalTopicId: 'mine', active: true }] };
    await expect(block.as(ANN).send({ operation: 'Update', value })).rejects.toThrow('declares no stream "mine"');
    await expect(block.as(ANN).send({ operation: 'AddTopic', value })).rejects.toThrow('the policy declares');
  });
});
