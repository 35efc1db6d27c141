/** What a registry says of itself is compared with the ledger, and what is said in its place is named. */
import { describe, expect, it } from 'vitest';
import { OPERATOR } from './support/bench.js';
import { did, INITIALIZATION, inTopic, kind, PARENT, registry, world } from './support/registry-world.js';

/** A policy of an owner with a registry, whose book agrees with the ledger. */
async function published(options: Parameters<typeof world>[0] = {}) {
  const bench = world(options);
  const engine = await bench.publish();
  const [policy] = (await engine.listPolicies(registry)).items;
  const compare = async () => {
    // What came in the last moment is left out.
    bench.clock.advance('1m');
    return engine.ledger.compare(registry, policy?.id ?? '');
  };
  const init = inTopic(bench.read().messages, INITIALIZATION)[0];
  const topicId = String(init?.content['topicId']);
  const topic = (id: string) => {
    const found = bench.ledger.topics.get(id);
    if (found === undefined) throw new Error(`There is no topic ${id}.`);
    return found;
  };
  /** After all that was sent. */
  const add = (id: string, content: object, payer = OPERATOR) => {
    bench.clock.advance('1m');
    const consensusAt = `${String(Math.floor(bench.clock.now() / 1000))}.000000001`;
    const unsigned = { payer, initial: `${payer}@${consensusAt}`, number: 1, total: 1 };
    topic(id).messages.push({ ...unsigned, text: JSON.stringify(content), consensusAt });
  };
  return { ...bench, engine, compare, topicId, topic, add };
}

const announcement = { type: 'Standard Registry', action: 'Init', did, topicId: '0.0.666', attributes: {} };
const identity = { type: 'DID-Document', action: 'create-did-document', did, cid: 'bafkreianother' };
const introduction = { type: 'Topic', action: 'create-topic', childId: null, parentId: '0.0.666' };

describe('a registry', () => {
  it('that says what it was announced with agrees with the ledger', async () => {
    for (const options of [{}, { parentTopic: PARENT }]) {
      const { compare } = await published(options);
      const { differences, notes, compared } = await compare();
      expect({ differences, notes }).toEqual({ differences: [], notes: [] });
      expect(compared).toMatchObject({ topics: 3, messages: 11 });
    }
  });

  it('of which a message is gone or changed is named with that message', async () => {
    const { compare, topic, topicId, read } = await published();
    for (const place of [topicId, INITIALIZATION]) {
      const { messages } = topic(place);
      const own = inTopic(read().messages, place).flatMap((each, at) =>
        ['Policy.create-policy', 'Topic.create-topic'].includes(kind(each)) && at > 0 ? [] : [messages[at]],
      );
      expect(own).toHaveLength(place === topicId ? 2 : 1);
      for (const message of own) {
        const subject = `${String(message?.consensusAt)} in ${place}`;
        topic(place).messages = messages.filter((each) => each !== message);
        expect((await compare()).differences).toMatchObject([
          { kind: 'message-missing', subject, book: message?.text, ledger: 'no message' },
        ]);
        const text = String(message?.text).replace('ISSUE', 'ISSUF');
        topic(place).messages = messages.map((each) => (each === message ? { ...each, text } : each));
        expect((await compare()).differences).toMatchObject([
          { kind: 'message-changed', subject, book: message?.text, ledger: text },
        ]);
      }
      topic(place).messages = messages;
    }
    expect((await compare()).differences).toEqual([]);
  });

  it.each([
    ['the operator announces', OPERATOR, 'restored backup'],
    ['somebody else announces', '0.0.9', 'which anyone may'],
  ])('that %s a second time, with another topic, is named', async (_, payer, remedy) => {
    const { add, compare } = await published();
    add(INITIALIZATION, { ...announcement, did: `${did}0` }, payer);
    expect((await compare()).differences).toEqual([]);
    add(INITIALIZATION, announcement, payer);
    expect((await compare()).differences).toMatchObject([
      {
        kind: 'message-unknown',
        ledger: expect.stringContaining('0.0.666') as unknown,
        remedy: expect.stringContaining(remedy) as unknown,
      },
    ]);
  });

  it.each([
    ['the operator', OPERATOR, 'restored backup'],
    ['somebody else', '0.0.9', 'submit key'],
  ])('in whose topic %s speaks for it is named with what was said', async (_, payer, remedy) => {
    const { add, compare, topicId } = await published();
    add(topicId, identity, payer);
    add(topicId, introduction, payer);
    expect((await compare()).differences).toMatchObject(
      [identity, introduction].map((each) => ({
        ...{ kind: 'message-unknown', ledger: expect.stringContaining(JSON.stringify(each)) as unknown },
        remedy: expect.stringContaining(remedy) as unknown,
      })),
    );
  });

  it('whose topic was made for it is written to by nobody else, and one that was there before may be', async () => {
    const policy = { type: 'Policy', action: 'create-policy' };
    const own = await published();
    own.add(own.topicId, policy, '0.0.9');
    expect((await own.compare()).differences).toMatchObject([{ kind: 'message-unknown' }]);
    const given = await published({ parentTopic: PARENT });
    given.add(PARENT, policy, '0.0.9');
    expect((await given.compare()).differences).toEqual([]);
    given.add(PARENT, identity, '0.0.9');
    expect((await given.compare()).differences).toMatchObject([{ kind: 'message-unknown' }]);
  });

  it('in a topic that had messages before is not blamed for them', async () => {
    const bench = world({ parentTopic: PARENT });
    const before = { payer: OPERATOR, initial: `${OPERATOR}@1700000000.000000001`, number: 1, total: 1 };
    bench.ledger.topics
      .get(PARENT)
      ?.messages.push({ ...before, text: JSON.stringify(introduction), consensusAt: '1700000000.000000001' });
    const engine = await bench.publish();
    bench.clock.advance('1m');
    const [policy] = (await engine.listPolicies(registry)).items;
    expect((await engine.ledger.compare(registry, policy?.id ?? '')).differences).toEqual([]);
  });

  it('that is being announced is compared as far as it is there', async () => {
    const { clock, ledger, network, start } = world();
    network.nextFault = (step) =>
      step === 'submit' && ledger.successes('submitMessage').length === 2 ? 'unavailable' : 'none';
    const engine = start();
    const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions: ['ANY_ROLE'] };
    const { policy } = await engine.importPolicy(registry, { name: 'Solar', config });
    await engine.lifecycle.publish(registry, policy.id, '1.0.0');
    await engine.program.ledger.idle();
    clock.advance('1m');
    const { differences, notes, compared } = await engine.ledger.compare(registry, policy.id);
    expect(differences).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining(`The registry of ${did} is being announced`));
    expect(compared).toMatchObject({ topics: 1, messages: 2 });
  });

  it('after whose announcement come too many others is compared with the first of them', async () => {
    const { add, compare } = await published();
    for (let n = 0; n < 2_000; n += 1) add(INITIALIZATION, { ...announcement, did: `${did}0` }, '0.0.9');
    add(INITIALIZATION, announcement, '0.0.9');
    const { differences, notes } = await compare();
    expect(differences).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('more than 2000 messages after that of the registry') as unknown]);
  });
});
