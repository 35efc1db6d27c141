import type { Json, JsonObject } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, credential } from '../../test/documents.js';
import { notificationBlock } from './notification-block.js';

const CAT = { role: 'Auditor', did: 'did:test:cat', group: ANN.group };
const DAN = { role: 'Farmer', did: 'did:test:dan', group: ANN.group };

const notifying = (options: JsonObject = {}): BlockBench =>
  blockBench(notificationBlock, {
    roles: ['Farmer', 'Auditor'],
    options: { title: 'Hello', message: 'Something happened.', ...options },
  });

const run = (bench: BlockBench, data: Json = null): Promise<void> => bench.as(ANN).event('RunEvent', data);

/** Notifications per user, after all users have joined the policy and Ann has run the block. */
async function inboxes(options: JsonObject, data: Json = null): Promise<string[]> {
  const bench = notifying(options);
  for (const member of [BOB, CAT, DAN]) await bench.as(member).availability();
  await run(bench, data);
  const { engine, owner } = await bench.open();
  const people = { ann: ANN.did, bob: BOB.did, cat: CAT.did, dan: DAN.did, owner: owner.did };
  const counts = Object.entries(people).map(async ([name, did]) => {
    const { total } = await engine.notifications.list({ did, role: 'USER' });
    return Array.from({ length: total }, () => name);
  });
  return (await Promise.all(counts)).flat();
}

describe('a notification', () => {
  it('is in the inbox, with what the policy says, and the data is passed on', async () => {
    const bench = notifying({ type: 'WARN', link: true });
    await run(bench, { some: 'data' });
    const { engine, policyId } = await bench.open();
    const { items, total, unread } = await engine.notifications.list({ did: ANN.did, role: 'USER' });
    expect([total, unread]).toEqual([1, 1]);
    expect(items).toMatchObject([
      { policyId, title: 'Hello', message: 'Something happened.', type: 'WARN', opensPolicy: true, read: false },
    ]);
    expect(bench.emitted.map(({ output, data }) => [output, data])).toEqual([
      ['RunEvent', { some: 'data' }],
      ['ReleaseEvent', null],
    ]);
  });

  it('informs, without a link, the one who caused it, where the policy does not say more', async () => {
    const bench = notifying();
    await run(bench);
    const { engine } = await bench.open();
    const { items } = await engine.notifications.list({ did: ANN.did, role: 'USER' });
    expect(items).toMatchObject([{ type: 'INFO', opensPolicy: false }]);
  });

  it('comes from a timer as well', async () => {
    const bench = notifying();
    await bench.as(ANN).event('TimerEvent');
    expect(bench.emitted).toHaveLength(2);
  });
});

describe('the recipients', () => {
  const documents = [credential('b', BOB.did), credential('d', DAN.did)] as unknown as Json;

  it.each<[string, JsonObject, string[]]>([
    ['everybody, each once', { user: 'ALL' }, ['ann', 'bob', 'cat', 'dan']],
    ['the user', { user: 'CURRENT' }, ['ann']],
    ['the owner of the policy', { user: 'OWNER' }, ['owner']],
    ['the owner of the first document', { user: 'DOCUMENT_OWNER' }, ['bob']],
    ['the issuer of the first document', { user: 'DOCUMENT_ISSUER' }, ['bob']],
    ['a role', { user: 'ROLE', role: 'Farmer' }, ['ann', 'bob', 'dan']],
    ['a role, in the group of the user', { user: 'ROLE', role: 'Farmer', grouped: true }, ['ann', 'dan']],
    ['a role that nobody in the group has', { user: 'ROLE', role: 'Nobody', grouped: true }, []],
  ])('are %s', async (_, options, expected) => {
    expect(await inboxes(options, documents)).toEqual(expected);
  });

  it('are the owners of the groups of the user', async () => {
    const owners = await inboxes({ user: 'GROUP_OWNER' });
    expect(owners).toHaveLength(1);
  });

  it('are none where a document is missing', async () => {
    expect(await inboxes({ user: 'DOCUMENT_OWNER' }, null)).toEqual([]);
  });
});

describe('findings for the author of a policy', () => {
  const paths = async (options: JsonObject) =>
    (await notifying(options).findings()).map(({ code, path }) => `${code} ${path.split('/').at(-1) ?? ''}`);

  it('of what is missing, and of what means nothing', async () => {
    expect(await paths({ title: '', message: '' })).toEqual(['OPTIONS_INVALID title', 'OPTIONS_INVALID message']);
    expect(await paths({ user: 'ROLE' })).toEqual(['OPTIONS_INVALID role']);
    expect(await paths({ user: 'EVERYONE' })).toEqual(['OPTIONS_INVALID user']);
    expect(await paths({ type: 'LOUD' })).toEqual(['OPTIONS_INVALID type']);
  });
});
