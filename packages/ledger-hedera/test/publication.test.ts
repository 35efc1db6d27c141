/** Publishing a policy: what readers of the reference find of it on the ledger, and that its file comes back. */
import { createEngine, systemClock } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { cidOf, gatewayFiles, openPublications } from '../src/index.js';
import { effect, Fuse, message, messageEffect, startBench } from './support/bench.js';
import { ANNOUNCED, atEnd, gateway, ofType, registry, solar, world } from './support/publishing-world.js';
import { ReferenceReader } from './support/reference-reader.js';
import { serve } from './support/served-network.js';

describe('a policy that is published', () => {
  it('is found from the topic of announcements, read back by its message, and is the same policy', async () => {
    const { engine, network, files, publish, reader } = world();
    const policy = await publish();
    const [message] = ofType(reader().messages, 'Instance-Policy');
    const served = await serve(network);
    atEnd(() => served.close());
    const publications = openPublications({
      network: 'fake',
      mirror: served.mirror,
      files: gatewayFiles({ url: await gateway(files) }),
    });
    const read = await publications.read(message?.id ?? '');
    expect(read).toMatchObject({ kind: 'policy', name: 'Solar', version: '1.0.0', owner: registry.did });
    const file = read?.file ?? new Uint8Array();
    expect(Buffer.from(file).equals(await engine.exportPolicy(registry, policy.id))).toBe(true);
    const elsewhere = createEngine();
    atEnd(() => elsewhere.close());
    const { policy: imported } = await elsewhere.importPolicy(registry, file);
    const { name, description, topicDescription } = solar;
    expect(imported).toMatchObject({ name, description, topicDescription });
  });

  it('has messages with the members of the reference, in its order', async () => {
    const { publish, reader } = world();
    const policy = await publish();
    const { messages } = reader();
    const [created] = ofType(messages, 'Policy');
    const [published] = ofType(messages, 'Instance-Policy');
    const about = ['uuid', 'name', 'description', 'topicDescription', 'version', 'policyTag', 'owner', 'topicId'];
    const head = ['id', 'status', 'type', 'action', 'lang'];
    expect(Object.keys(published?.content ?? {})).toEqual([...head, ...about, 'instanceTopicId', 'cid', 'uri']);
    expect(Object.keys(created?.content ?? {})).toEqual([...head, ...about.filter((name) => name !== 'version')]);
    const { uuid } = policy;
    const { name, description, topicDescription, policyTag } = solar;
    const same = { uuid, name, description, topicDescription, policyTag, owner: registry.did };
    expect(created?.content).toMatchObject({ ...same, action: 'create-policy', topicId: published?.topic });
    expect(published?.content).toMatchObject({
      ...same,
      ...{ status: 'ISSUE', action: 'publish-policy', lang: 'en-US', version: '1.0.0', topicId: published?.topic },
      uri: `ipfs://${String(published?.content['cid'])}`,
    });
  });

  it('is in a tree of topics whose links name each other, and why they are', async () => {
    const { ledger, publish, reader } = world();
    await publish();
    const { reader: read, messages } = reader();
    const [created] = ofType(messages, 'Policy');
    const [published] = ofType(messages, 'Instance-Policy');
    const topic = published?.topic ?? '';
    const instance = String(published?.content['instanceTopicId']);
    expect([...read.topics.keys()].sort()).toEqual([ANNOUNCED, topic, instance].sort());
    expect(read.about(topic)).toMatchObject({
      ...{ messageType: 'POLICY_TOPIC', childId: null, parentId: ANNOUNCED, rationale: created?.id },
    });
    expect(read.about(instance)).toMatchObject({
      ...{ messageType: 'INSTANCE_POLICY_TOPIC', childId: null, parentId: topic, rationale: published?.id },
    });
    const below = ofType(messages, 'Topic').filter(({ content }) => content['childId'] !== null);
    expect(below.map(({ topic: at, content }) => [at, content['childId'], content['rationale']])).toEqual([
      [ANNOUNCED, topic, created?.id],
      [topic, instance, published?.id],
    ]);
    expect(ledger.topics.get(topic)?.memo).toBe('Policy development topic');
  });

  it('has each message in one piece, however long its texts are and whatever they are written in', async () => {
    for (const text of ['long ', 'ü', '🌞', '太陽']) {
      const { ledger, publish, reader } = world();
      const long = text.repeat(900);
      await publish({ ...solar, name: long.slice(0, 200), description: long, topicDescription: long });
      const { messages } = reader();
      const [published] = ofType(messages, 'Instance-Policy');
      expect(published?.content['name']).toMatch(new RegExp(`^(${text}){3}`));
      expect(published?.content['cid']).toMatch(/^baf/);
      const all = [...ledger.topics.values()].flatMap(({ messages: each }) => each);
      expect(all.filter(({ total }) => total !== 1)).toEqual([]);
    }
  });

  it('names the hash of its file where files have no place, and nothing to be fetched', async () => {
    const { engine, publish, reader } = world('files');
    const policy = await publish();
    const [published] = ofType(reader().messages, 'Instance-Policy');
    expect(published?.content).toMatchObject({ hash: cidOf(await engine.exportPolicy(registry, policy.id)) });
    expect(published?.content).not.toHaveProperty('cid');
  });

  it('is announced nowhere without a topic for it, and has its own topics', async () => {
    const { ledger, publish, network } = world('parentTopic');
    await publish();
    const topic = [...ledger.topics].find(([, { memo }]) => memo === 'Policy development topic')?.[0] ?? '';
    const read = new ReferenceReader(network);
    expect(ofType(read.read(topic), 'Instance-Policy')).toHaveLength(1);
    expect(read.about(topic)).toMatchObject({ messageType: 'POLICY_TOPIC', parentId: null, rationale: null });
    expect(ledger.topics.get(ANNOUNCED)?.messages).toEqual([]);
  });

  it('agrees with the ledger when the two are compared, and is told by which id it is read', async () => {
    const { clock, engine, publish, reader } = world();
    const policy = await publish();
    clock.advance('1m');
    const { differences, notes, compared, publishedAs } = await engine.ledger.compare(registry, policy.id);
    expect(publishedAs).toBe(ofType(reader().messages, 'Instance-Policy')[0]?.id);
    expect({ differences, notes }).toEqual({ differences: [], notes: [] });
    expect(compared).toMatchObject({ topics: 2, messages: 7 });
  });

  it('has in the topic of its versions nothing that no version sent: whoever sent it, it is named', async () => {
    const { clock, engine, ledger, publish } = world();
    const { id } = await publish();
    const topic = [...ledger.topics.values()].find(({ memo }) => memo === 'Policy development topic');
    const [link] = topic?.messages ?? [];
    if (topic === undefined || link === undefined) throw new Error('There is no topic.');
    const text = JSON.stringify({ type: 'Instance-Policy', action: 'publish-policy', version: '9.0.0' });
    clock.advance('1m');
    const now = Math.floor(clock.now() / 1000);
    topic.messages.push({ ...link, text, consensusAt: `${String(now)}.000000001` });
    topic.messages.push({ ...link, text, consensusAt: `${String(now)}.000000002`, payer: '0.0.9' });
    clock.advance('1m');
    const { differences } = await engine.ledger.compare(registry, id);
    expect(differences).toMatchObject([
      { kind: 'message-unknown', ledger: text, remedy: expect.stringContaining('restored backup') as unknown },
      { kind: 'message-unknown', ledger: `0.0.9: ${text}`, remedy: expect.stringContaining('submit key') as unknown },
    ]);
  });
});

describe('a next version', () => {
  const nextOf = async ({ engine }: ReturnType<typeof world>, policyId: string) =>
    (await engine.lifecycle.nextVersion(registry, policyId)).policy.id;

  it('is in the topic of the versions before, with a topic of its own for what it does', async () => {
    const bench = world();
    const { engine, publish, reader } = bench;
    const { id } = await publish();
    const next = await nextOf(bench, id);
    await engine.lifecycle.publish(registry, next, '1.1.0');
    await engine.program.ledger.idle();
    const { messages } = reader();
    const published = ofType(messages, 'Instance-Policy').map(({ topic, content }) => ({ topic, ...content }));
    const [first, second] = published as readonly Record<string, unknown>[];
    expect([first?.['version'], second?.['version']]).toEqual(['1.0.0', '1.1.0']);
    expect(second).toMatchObject({ topic: first?.['topic'], topicId: first?.['topicId'], uuid: first?.['uuid'] });
    expect(second?.['instanceTopicId']).not.toBe(first?.['instanceTopicId']);
    expect(ofType(messages, 'Policy')).toHaveLength(1);
    bench.clock.advance('1m');
    for (const policyId of [id, next])
      expect(await engine.ledger.compare(registry, policyId)).toMatchObject({ differences: [], notes: [] });
  });

  it('waits for the topic that the version before makes, until its first message is there', async () => {
    const { open, network, ledger } = world();
    const adapter = open();
    const about = { uuid: 'u', name: 'Solar', version: '2.0.0' };
    const nothing = { document: null, token: null };
    const body = { name: 'blockwork/policy', owner: '', policy: about };
    const before = effect('create-topic', { topicId: 'versions', body });
    const inTopic = { topicId: 'versions', type: 'discontinue-policy', owner: registry.did, body: about };
    const next = { ...messageEffect(message('1767225610.000000001', inTopic)), policyId: 'policy-2' };
    const waits = () =>
      expect(adapter.settle(next, nothing)).rejects.toThrow('an earlier version of the policy makes it');
    await waits();
    network.nextFault = (kind) => (kind === 'submit' && ledger.topics.size > 1 ? 'busy' : 'none');
    await expect(adapter.settle(before, nothing)).rejects.toThrow('BUSY');
    expect(ledger.topics.size).toBe(2);
    await waits();
    network.nextFault = () => 'none';
    await adapter.settle(before, nothing);
    await adapter.settle(next, nothing);
    const [, topic = ''] = ledger.topics.keys();
    expect(ledger.topics.get(topic)?.messages.map(({ text }) => (JSON.parse(text) as { type: string }).type)).toEqual([
      'Topic',
      'Instance-Policy',
    ]);
  });
});

describe('a policy that is discontinued', () => {
  it('says so in the topic of its versions, at once and before a date', async () => {
    const { engine, publish, reader } = world();
    const { id } = await publish();
    const effectiveDate = new Date(systemClock.now() + 86_400_000).toISOString();
    await engine.lifecycle.discontinue(registry, id, effectiveDate);
    await engine.lifecycle.discontinue(registry, id);
    await engine.program.ledger.idle();
    const [published, deferred, done] = ofType(reader().messages, 'Instance-Policy');
    const same = ['uuid', 'name', 'version', 'policyTag', 'owner', 'topicId', 'instanceTopicId'];
    for (const each of [deferred, done])
      for (const member of same) expect(each?.content[member]).toBe(published?.content[member]);
    expect(deferred?.content).toMatchObject({ action: 'deferred-discontinue-policy', effectiveDate });
    const { discontinuedDate } = await engine.getPolicy(registry, id);
    expect(done?.content).toMatchObject({ action: 'discontinue-policy', effectiveDate: discontinuedDate });
    expect(Object.keys(done?.content ?? {}).slice(-2)).toEqual(['instanceTopicId', 'effectiveDate']);
  });
});

it('a publication is on the ledger once, wherever the process ends', async () => {
  const about = { uuid: 'u', name: 'Solar', version: '1.0.0' };
  const inTopic = { topicId: 'versions', type: 'publish-policy', owner: registry.did };
  const body = { ...about, instanceTopicId: 'instance' };
  const nothing = { document: null, token: null };
  const archive = () => Promise.resolve(Buffer.from('the file'));
  const run = async (steps: number) => {
    const bench = startBench({ parentTopic: ANNOUNCED, files: { put: (bytes) => Promise.resolve(cidOf(bytes)) } });
    bench.ledger.topics.set(ANNOUNCED, { memo: '', submitKey: '', messages: [] });
    const effects = [
      effect('create-topic', { topicId: 'versions', body: { name: 'blockwork/policy', owner: '', policy: about } }),
      effect('create-topic', { topicId: 'instance', body: { name: 'root', owner: '', policyTopicId: 'versions' } }),
      messageEffect(message('1767225610.000000001', { ...inTopic, body })),
    ];
    const settle = async (fuse?: Fuse) => {
      const adapter = bench.open(fuse);
      for (const each of effects) await adapter.settle(each, { ...nothing, archive });
    };
    const isKilled = await settle(new Fuse(steps)).then(
      () => false,
      () => true,
    );
    const goOn = (): Promise<unknown> => {
      bench.clock.advance('5m');
      return settle();
    };
    // What was signed and not sent is signed anew when its time is over, which is seen at another try.
    await goOn().catch(goOn);
    const messages = new ReferenceReader(bench.network).read(ANNOUNCED);
    return {
      isKilled,
      messages: messages.map(({ content }) => `${String(content['type'])}.${String(content['action'])}`),
    };
  };
  const whole = await run(Infinity);
  expect(whole.messages).toEqual([
    ...['Policy.create-policy', 'Topic.create-topic'],
    ...['Topic.create-topic', 'Instance-Policy.publish-policy', 'Topic.create-topic'],
    'Topic.create-topic',
  ]);
  for (let steps = 1; ; steps += 1) {
    const { isKilled, messages } = await run(steps);
    expect([steps, messages]).toEqual([steps, whole.messages]);
    if (!isKilled) break;
  }
});

it('a trial publishes nothing', async () => {
  const { engine, ledger } = world();
  const { policy } = await engine.importPolicy(registry, solar);
  await engine.lifecycle.dryRun(registry, policy.id);
  await engine.program.ledger.idle();
  expect(ledger.transactions).toEqual([]);
});
