/** The registry of an owner of policies: found from the topic in which registries are announced, down to what the owner signs. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { randomIds, type Json, type JsonObject } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { effect, Fuse } from './support/bench.js';
import {
  did,
  elsewhere,
  INITIALIZATION,
  inTopic,
  kind,
  ofKind,
  ownerDocument,
  PARENT,
  registry,
  world,
} from './support/registry-world.js';
import { readTopic, Reader } from './support/topic-reader.js';

const nothing = { document: null, token: null };

/** Of the suite `eddsa-jcs-2022`. What is signed names a policy by an id that is no address, which libraries for credentials refuse. */
function isSigned({ proof, ...content }: JsonObject, key: Uint8Array): boolean {
  const { proofValue, ...options } = proof as JsonObject;
  const hashes = [options, content].map((each) => createHash('sha256').update(sorted(each)).digest());
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
    format: 'jwk',
  });
  return verify(null, Buffer.concat(hashes), publicKey, base58.decode((proofValue as string).slice(1)));
}

/** As JSON with sorted members. */
const sorted = (value: Json): string =>
  JSON.stringify(value, (_, each: Json) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

describe('the registry of an owner whose key is known', () => {
  it('is found from the topic of registries, with its identity, and below it the policy', async () => {
    const { files, ledger, publish, read } = world();
    await publish();
    const { reader, messages } = read();
    const [init] = inTopic(messages, INITIALIZATION);
    const topicId = String(init?.content['topicId']);
    expect(Object.keys(init?.content ?? {})).toEqual([
      ...['id', 'status', 'type', 'action', 'lang', 'did', 'topicId', 'attributes'],
    ]);
    expect(init?.content).toMatchObject({
      ...{ status: 'ISSUE', type: 'Standard Registry', action: 'Init', did, attributes: {} },
    });
    expect(reader.about(topicId)).toMatchObject({
      ...{ messageType: 'USER_TOPIC', owner: did, childId: null, parentId: INITIALIZATION, rationale: null },
    });
    expect(ledger.topics.get(topicId)?.memo).toBe('Standard Registry organization topic');
    expect(inTopic(messages, topicId).map(kind)).toEqual([
      ...['Topic.create-topic', 'DID-Document.create-did-document'],
      ...['Policy.create-policy', 'Topic.create-topic'],
    ]);
    const [identity] = ofKind(inTopic(messages, topicId), 'DID-Document.create-did-document');
    expect(identity?.content).toMatchObject({ did, uri: `ipfs://${String(identity?.content['cid'])}` });
    const file = files.get(String(identity?.content['cid']));
    expect(JSON.parse(Buffer.from(file ?? '').toString('utf8'))).toEqual(ownerDocument);
    const [published] = ofKind(messages, 'Instance-Policy.publish-policy');
    expect(published?.content).toMatchObject({ owner: did, name: 'Solar' });
    expect(reader.about(published?.topic ?? '')).toMatchObject({ messageType: 'POLICY_TOPIC', parentId: topicId });
    // Readers find a registry by its announcement: all that they follow from there is older.
    expect([identity?.id, init?.id].sort()).toEqual([identity?.id, init?.id]);
    expect(
      ledger
        .successes('submitMessage')
        .map(({ memo }) => memo)
        .slice(0, 3),
    ).toEqual([...['Topic creation message', 'DID creation message', 'Standard Registry initialization message']]);
  });

  it('has the key of all that the owner signs in the topic of the policy, before anybody has joined', async () => {
    const { clock, files, network, publish, read } = world();
    await publish();
    const instance = String(ofKind(read().messages, 'Instance-Policy.publish-policy')[0]?.content['instanceTopicId']);
    const reader = new Reader(() => clock.now());
    const signed: string[] = [];
    for (const { type, document } of readTopic(instance, (path) => network.mirror(path), files))
      if (type === 'DID-Document') reader.learn(document ?? {});
      else if (document !== null && isSigned(document, reader.keyOf(document['issuer'] as string))) signed.push(type);
    expect(reader.dids).toEqual([did]);
    expect(signed).toEqual(['Blockwork-policy']);
  });

  it('is announced once, for several policies and after a restart', async () => {
    const { publish, start, read } = world();
    const engine = await publish();
    await publish(engine, registry, 'Wind');
    await publish(start(), registry, 'Water');
    const { messages } = read();
    const [init, ...more] = inTopic(messages, INITIALIZATION);
    expect(more).toEqual([]);
    const below = inTopic(messages, String(init?.content['topicId']));
    expect(ofKind(below, 'DID-Document.create-did-document')).toHaveLength(1);
    expect(ofKind(below, 'Policy.create-policy').map(({ content }) => content['name'])).toEqual([
      ...['Solar', 'Wind', 'Water'],
    ]);
  });

  it('has the topic that policies are announced in, if one is set, which begins with what it is', async () => {
    const { ledger, publish, read } = world({ parentTopic: PARENT });
    await publish();
    const { reader, messages } = read();
    expect(inTopic(messages, INITIALIZATION).map(({ content }) => content['topicId'])).toEqual([PARENT]);
    expect(reader.about(PARENT)).toMatchObject({ messageType: 'USER_TOPIC', parentId: INITIALIZATION });
    expect(ledger.topics.size).toBe(4);
  });

  it('does not say what a topic is that has messages already', async () => {
    const { ledger, publish, read } = world({ parentTopic: PARENT });
    const said = JSON.stringify({ type: 'Topic', action: 'create-topic', childId: null, parentId: null });
    const unsigned = { payer: '0.0.7', initial: '0.0.7@1700000000.000000001', number: 1, total: 1 };
    ledger.topics.get(PARENT)?.messages.push({ ...unsigned, text: said, consensusAt: '1700000000.000000001' });
    await publish();
    const links = ofKind(inTopic(read().messages, PARENT), 'Topic.create-topic');
    expect(links.filter(({ content }) => content['childId'] === null)).toHaveLength(1);
  });
});

it.each([
  ['has another kind of DID', 'did:example:registry', INITIALIZATION],
  ['has a DID of another network', elsewhere, INITIALIZATION],
])('an owner who %s has no registry, and the policy is published all the same', async (_, owner, topic) => {
  const { ledger, publish, start } = world();
  await publish(start(), { did: owner, role: 'STANDARD_REGISTRY' });
  expect(ledger.topics.get(topic)?.messages).toEqual([]);
});

/** The effect with which the first policy of an owner begins. */
const first = (name: string) =>
  effect('create-topic', {
    topicId: name,
    body: { name: 'blockwork/policy', owner: did, policy: { uuid: name, name }, ownerDocument },
  });

it('a registry is on the ledger once, wherever the process ends', async () => {
  const run = async (steps: number) => {
    const { open, clock, read } = world();
    const each = first('versions');
    const isKilled = await open(new Fuse(steps))
      .settle(each, nothing)
      .then(
        () => false,
        () => true,
      );
    const goOn = (): Promise<unknown> => {
      clock.advance('5m');
      return open().settle(each, nothing);
    };
    // What was signed and not sent is signed anew when its time is over, which is seen at another try.
    for (let tries = 0; tries < 3; tries += 1)
      if (
        await goOn().then(
          () => true,
          () => false,
        )
      )
        break;
    return { isKilled, messages: read().messages.map(kind) };
  };
  const whole = await run(Infinity);
  expect(whole.messages).toEqual([
    'Standard Registry.Init',
    ...['Topic.create-topic', 'DID-Document.create-did-document', 'Policy.create-policy', 'Topic.create-topic'],
    'Topic.create-topic',
  ]);
  for (let steps = 1; ; steps += 1) {
    const { isKilled, messages } = await run(steps);
    expect([steps, messages]).toEqual([steps, whole.messages]);
    if (!isKilled) break;
  }
});

it('two policies at once have one registry, in one process and in two', async () => {
  const { open, clock, read } = world();
  // Processes draw different numbers.
  const [one, two] = [open(), open(undefined, { ids: randomIds })];
  const effects = ['a', 'b', 'c'].map((name) => ({ ...first(name), policyId: name }));
  const settle = () => Promise.allSettled(effects.map((each, at) => (at === 2 ? two : one).settle(each, nothing)));
  for (let tries = 0; tries < 5; tries += 1) {
    await settle();
    clock.advance('5m');
  }
  expect((await settle()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  const { messages } = read();
  expect(inTopic(messages, INITIALIZATION).map(kind)).toEqual(['Standard Registry.Init']);
  expect(ofKind(messages, 'Policy.create-policy')).toHaveLength(3);
});
