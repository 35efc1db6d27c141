/** Tools of a policy that is published: on the ledger once, before the policy, which names them by their messages. */
import { createEngine, randomIds, type LedgerEffect } from '@blockwork/core';
import type { PublishedTool } from '@blockwork/core/adapter';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cidOf, gatewayFiles, openPublications } from '../src/index.js';
import { effect, Fuse, message, messageEffect, OPERATOR, startBench } from './support/bench.js';
import { ANNOUNCED, atEnd, gateway, ofType, registry, solar, world } from './support/publishing-world.js';
import { ReferenceReader, type ReadMessage } from './support/reference-reader.js';
import { serve } from './support/served-network.js';

type Written = Record<string, unknown>;

const block = (blockType: string, tag: string, more: Written = {}): Written => ({
  ...{ blockType, tag, permissions: ['ANY_ROLE'], children: [], events: [] },
  ...more,
});
const use = (tag: string, messageId: string): Written =>
  block('tool', tag, { messageId, hash: `hash-of-${messageId}` });
const referenceTo = (messageId: string) => ({ messageId, hash: `hash-of-${messageId}` });

const schema = (iri: string, defs: object = {}) => ({
  ...{ iri, uuid: iri.slice(1), name: `Schema ${iri}`, entity: 'VC' },
  document: { $id: iri, type: 'object', properties: { field0: { type: 'string' } }, $defs: defs },
});

/** A `.tool` file. */
function toolFile(name: string, children: Written[], schemas: readonly { readonly iri: string }[] = []): Uint8Array {
  const config = block('tool', name, { children, variables: [], inputEvents: [], outputEvents: [], innerEvents: [] });
  const entries: [string, unknown][] = [
    ['tool.json', { name, description: `What ${name} does`, config }],
    ...schemas.map((each): [string, unknown] => [`schemas/${each.iri.slice(1)}.json`, each]),
  ];
  return zipSync(Object.fromEntries(entries.map(([entry, content]) => [entry, Buffer.from(JSON.stringify(content))])));
}

const meter = toolFile('Meter', [block('informationBlock', 'shown')], [schema('#one', { '#two': {} }), schema('#two')]);
const using = (...tools: Written[]) => ({
  ...solar,
  config: block('interfaceContainerBlock', 'root', { children: tools }),
});

const jsonAt = (archive: Uint8Array, entry: string): unknown =>
  JSON.parse(Buffer.from(unzipSync(archive)[entry] ?? '').toString('utf8'));

/** What the reference reads in the file of a policy about its tools. */
const notesIn = (archive: Uint8Array) =>
  Object.keys(unzipSync(archive))
    .filter((name) => /^tools\/.+\.json$/.test(name))
    .map((name) => jsonAt(archive, name) as { readonly messageId: string; readonly hash: string });

const publications = (messages: readonly ReadMessage[]) =>
  ofType(messages, 'Tool').filter(({ content }) => content['action'] === 'publish-tool');
const kinds = (messages: readonly ReadMessage[]) =>
  messages.map(({ content }) => `${String(content['type'])}.${String(content['action'])}`);

describe('a tool that is on no ledger', () => {
  it('is found in the file of the policy by a message with its hash, and has the file that was imported', async () => {
    const { engine, files, publish, reader } = world();
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    await publish(using(use('meter', 'elsewhere')));
    const { reader: read, messages } = reader();
    const [policy] = ofType(messages, 'Instance-Policy');
    const archive = files.get(String(policy?.content['cid'])) ?? new Uint8Array();
    const [note] = notesIn(archive);
    const [tool] = publications(messages);
    expect(note).toMatchObject({ messageId: tool?.id, hash: 'hash-of-elsewhere' });
    expect(jsonAt(archive, 'policy.json')).toMatchObject({
      config: { children: [{ blockType: 'tool', messageId: tool?.id, hash: 'hash-of-elsewhere' }] },
    });
    expect(Object.keys(tool?.content ?? {})).toEqual([
      ...['id', 'status', 'type', 'action', 'lang', 'uuid', 'name', 'description', 'owner', 'hash', 'topicId'],
      ...['cid', 'uri'],
    ]);
    expect(tool?.content).toMatchObject({
      ...{ name: 'Meter', description: 'What Meter does', owner: registry.did, hash: 'hash-of-elsewhere' },
      topicId: tool?.topic,
    });
    expect(Buffer.from(files.get(String(tool?.content['cid'])) ?? '').equals(meter)).toBe(true);
    expect(tool?.id.localeCompare(policy?.id ?? '')).toBe(-1);
    expect(kinds(read.topics.get(tool?.topic ?? '') ?? [])).toEqual([
      ...['Topic.create-topic', 'Schema.publish-schema', 'Schema.publish-schema', 'Tool.publish-tool'],
    ]);
    const [created] = ofType(messages, 'Tool');
    expect(created).toMatchObject({ topic: ANNOUNCED, content: { action: 'create-tool', topicId: tool?.topic } });
    expect(read.about(tool?.topic ?? '')).toMatchObject({
      ...{ messageType: 'TOOL_TOPIC', parentId: ANNOUNCED, rationale: created?.id },
    });
    const [two, one] = ofType(read.topics.get(tool?.topic ?? '') ?? [], 'Schema');
    expect(one?.content).toMatchObject({ uuid: 'one', relationships: [two?.id] });
    expect(JSON.parse(Buffer.from(files.get(String(two?.content['document_cid'])) ?? '').toString('utf8'))).toEqual(
      schema('#two').document,
    );
  });

  it('is found by whoever imports the policy by its message, from the ledger alone', async () => {
    const { engine, files, network, publish, reader } = world();
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    await publish(using(use('meter', 'elsewhere')));
    const served = await serve(network);
    atEnd(() => served.close());
    const onLedger = openPublications({
      ...{ network: 'fake', mirror: served.mirror },
      files: gatewayFiles({ url: await gateway(files) }),
    });
    const [policy] = ofType(reader().messages, 'Instance-Policy');
    const file = (await onLedger.read(policy?.id ?? ''))?.file ?? new Uint8Array();
    // As other programs write it.
    const bare = zipSync(
      Object.fromEntries(Object.entries(unzipSync(file)).filter(([name]) => !name.startsWith('tool-files/'))),
    );
    const elsewhere = createEngine({ toolSource: onLedger });
    atEnd(() => elsewhere.close());
    for (const source of [file, bare]) {
      const { policy: imported, findings } = await elsewhere.importPolicy(registry, source);
      expect(findings.map(({ code }) => code)).not.toContain('TOOL_MISSING');
      await expect(elsewhere.findBlock(registry, imported.id, 'meter:shown')).resolves.toBeDefined();
    }
  });

  it('is published once for all policies that use it, and for later versions', async () => {
    const { clock, engine, publish, reader, files } = world();
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    const { id } = await publish(using(use('meter', 'elsewhere')));
    await publish({ ...using(use('again', 'elsewhere')), name: 'Wind', policyTag: 'wind' });
    const { policy: next } = await engine.lifecycle.nextVersion(registry, id);
    await engine.lifecycle.publish(registry, next.id, '1.1.0');
    await engine.program.ledger.idle();
    const { messages } = reader();
    const [tool, ...more] = publications(messages);
    expect(more).toEqual([]);
    const archives = ofType(messages, 'Instance-Policy').map(({ content }) => files.get(String(content['cid'])));
    expect(archives.map((archive) => notesIn(archive ?? new Uint8Array())[0]?.messageId)).toEqual([
      ...[tool?.id, tool?.id, tool?.id],
    ]);
    clock.advance('1m');
    expect(await engine.ledger.compare(registry, id)).toMatchObject({ differences: [], notes: [] });
  });

  it('is compared with each policy that it was published for, and what else is said in its topic is named', async () => {
    const { clock, engine, ledger, publish } = world();
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    const policies = [
      await publish(using(use('meter', 'elsewhere'))),
      await publish({ ...using(use('again', 'elsewhere')), name: 'Wind', policyTag: 'wind' }),
    ];
    const { id: without } = await publish({ ...solar, name: 'Water', policyTag: 'water' });
    const compare = (id = '') => {
      clock.advance('1m');
      return engine.ledger.compare(registry, id);
    };
    const own = [...ledger.topics.values()].find(({ messages }) =>
      messages.some(({ text }) => text.includes('"publish-tool"')),
    );
    const messages = own?.messages ?? [];
    const last = messages.at(-1);
    if (own === undefined || last === undefined) throw new Error('There is no tool.');
    const foreign = (payer: string) => {
      clock.advance('1m');
      return { ...last, payer, consensusAt: `${String(Math.floor(clock.now() / 1000))}.000000001` };
    };
    const cases: readonly (readonly [typeof messages, string | undefined, string | undefined])[] = [
      [messages.slice(0, -1), 'message-missing', 'not complete'],
      [[...messages.slice(0, -1), { ...last, text: last.text.replace('Meter', 'Metre') }], 'message-changed', 'cannot'],
      [[...messages, foreign(OPERATOR)], 'message-unknown', 'restored backup'],
      [[...messages, foreign('0.0.9')], 'message-unknown', 'submit key'],
      [messages, undefined, undefined],
    ];
    for (const [changed, kind, remedy] of cases) {
      own.messages = changed;
      for (const { id } of policies) {
        const [difference, ...more] = (await compare(id)).differences;
        expect([difference?.kind, more]).toEqual([kind, []]);
        if (remedy !== undefined) expect(difference?.remedy).toContain(remedy);
      }
      expect((await compare(without)).differences).toEqual([]);
    }
    expect((await compare(policies[0]?.id)).compared).toMatchObject({ topics: 3, messages: 13 });
    expect((await compare(without)).compared).toMatchObject({ topics: 2 });
  });

  it('is published after those that it uses, and the file of the policy has all of them', async () => {
    const { engine, files, publish, reader } = world();
    const outer = toolFile('Outer', [use('nested', 'inner')]);
    await engine.tools.import(registry, meter, referenceTo('inner'));
    await engine.tools.import(registry, outer, referenceTo('outer'));
    await publish(using(use('both', 'outer')));
    const { messages } = reader();
    const inOrder = [...publications(messages)].sort((a, b) => a.id.localeCompare(b.id));
    expect(inOrder.map(({ content }) => content['name'])).toEqual(['Meter', 'Outer']);
    const archive = files.get(String(ofType(messages, 'Instance-Policy')[0]?.content['cid']));
    const elsewhere = createEngine();
    atEnd(() => elsewhere.close());
    const { policy, findings } = await elsewhere.importPolicy(registry, archive ?? new Uint8Array());
    expect(findings.map(({ code }) => code)).not.toContain('TOOL_MISSING');
    await expect(elsewhere.findBlock(registry, policy.id, 'both:nested:shown')).resolves.toBeDefined();
  });

  it('is another one than a tool with the same name and other bytes', async () => {
    const { engine, files, publish, reader } = world();
    const other = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
    const forged = toolFile('Forged', []);
    await engine.tools.import(other, forged, referenceTo('elsewhere'));
    const { policy } = await engine.importPolicy(other, using(use('meter', 'elsewhere')));
    await engine.lifecycle.publish(other, policy.id, '1.0.0');
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    await publish({ ...using(use('meter', 'elsewhere')), name: 'Wind', policyTag: 'wind' });
    const { messages } = reader();
    const own = ofType(messages, 'Instance-Policy').find(({ content }) => content['owner'] === registry.did);
    const [note] = notesIn(files.get(String(own?.content['cid'])) ?? new Uint8Array());
    const tool = publications(messages).find(({ id }) => id === note?.messageId);
    expect(tool?.content).toMatchObject({ name: 'Meter', cid: cidOf(meter) });
  });

  it('stays where it is where files have no place', async () => {
    const { engine, ledger, publish } = world('files');
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    await publish(using(use('meter', 'elsewhere')));
    const texts = [...ledger.topics.values()].flatMap(({ messages }) => messages.map(({ text }) => text));
    expect(texts.filter((text) => text.includes('-tool'))).toEqual([]);
  });

  it('has a topic of its own that names no parent, if there is none', async () => {
    const { engine, ledger, publish } = world('parentTopic');
    await engine.tools.import(registry, meter, referenceTo('elsewhere'));
    await publish(using(use('meter', 'elsewhere')));
    const own = [...ledger.topics.values()].find(({ messages }) => messages.some(({ text }) => text.includes('-tool')));
    const [link, ...others] = (own?.messages ?? []).map(({ text }) => JSON.parse(text) as Written);
    expect(link).toMatchObject({ messageType: 'TOOL_TOPIC', childId: null, parentId: null, rationale: null });
    expect(others.map(({ action }) => action)).toEqual(['publish-schema', 'publish-schema', 'publish-tool']);
  });
});

it('a tool that is on the ledger under its name is not published again, and one that only says so is', async () => {
  const { engine, ledger, publish, reader, files } = world();
  const tools = { meter: '1700000000.000000001', liar: '1700000000.000000002' };
  for (const [name, messageId] of Object.entries(tools)) {
    const hash = name === 'meter' ? `hash-of-${messageId}` : 'another hash';
    const text = JSON.stringify({ type: 'Tool', action: 'publish-tool', hash, cid: 'bafkreielsewhere' });
    const unsigned = { payer: OPERATOR, initial: `${OPERATOR}@${messageId}`, number: 1, total: 1 };
    ledger.topics.set(`0.0.77${messageId.slice(-1)}`, {
      ...{ memo: '', submitKey: '' },
      messages: [{ ...unsigned, text, consensusAt: messageId }],
    });
    await engine.tools.import(registry, toolFile(name, []), referenceTo(messageId));
  }
  await publish(using(use('a', tools.meter), use('b', tools.liar)));
  const { messages } = reader();
  const [again, ...more] = publications(messages);
  expect(more).toEqual([]);
  expect(again?.content).toMatchObject({ name: 'liar', hash: `hash-of-${tools.liar}` });
  const archive = files.get(String(ofType(messages, 'Instance-Policy')[0]?.content['cid'])) ?? new Uint8Array();
  expect(notesIn(archive).map(({ messageId }) => messageId)).toEqual([tools.meter, again?.id]);
});

describe('a tool in the effects of policies', () => {
  const tool: PublishedTool = {
    ...{ messageId: 'elsewhere', hash: 'h', uuid: '', name: 'Meter', description: '', digest: 'd' },
    schemas: [{ document: {}, address: 'schema:one', context: null, about: { name: 'One', uuid: 'one' }, uses: [] }],
    file: () => Promise.resolve(meter),
  };

  /** The store is bound to the network, and the policies have their topics. */
  async function published(...policyIds: string[]) {
    const bench = startBench({ parentTopic: ANNOUNCED, files: { put: (bytes) => Promise.resolve(cidOf(bytes)) } });
    bench.ledger.topics.set(ANNOUNCED, { memo: '', submitKey: '', messages: [] });
    const named = new Set<string>();
    const archive = (tools: readonly { readonly publishedAs: string }[] = []): Promise<Uint8Array> => {
      for (const { publishedAs } of tools) named.add(publishedAs);
      return Promise.resolve(Buffer.from('the file'));
    };
    const facts = { document: null, token: null, archive, tools: [tool] };
    const last: LedgerEffect[] = [];
    for (const policyId of policyIds) {
      const about = { uuid: policyId, name: policyId, version: '1.0.0' };
      const [topicId, instanceTopicId] = [`${policyId}-versions`, `${policyId}-instance`];
      const inTopic = { topicId, type: 'publish-policy', owner: registry.did, body: { ...about, instanceTopicId } };
      const first = [
        effect('create-topic', { topicId, body: { name: 'blockwork/policy', owner: '', policy: about } }),
        effect('create-topic', {
          topicId: instanceTopicId,
          body: { name: 'root', owner: '', policyTopicId: topicId },
        }),
      ];
      for (const each of first) await bench.open().settle({ ...each, policyId }, { document: null, token: null });
      last.push({ ...messageEffect(message('1767225610.000000001', inTopic)), policyId });
    }
    const messages = () => new ReferenceReader(bench.network).read(ANNOUNCED);
    return { ...bench, effects: last, facts, named, messages };
  }

  it('is on the ledger once, wherever the process ends', async () => {
    const run = async (steps: number) => {
      const { clock, effects, facts, messages, named, open } = await published('a');
      const settle = async (fuse?: Fuse): Promise<boolean> => {
        try {
          for (const each of effects) await open(fuse).settle(each, facts);
          return true;
        } catch {
          return false;
        }
      };
      const isKilled = !(await settle(new Fuse(steps)));
      for (let tries = 0; tries < 3; tries += 1) {
        clock.advance('5m');
        if (await settle()) break;
      }
      return { isKilled, named: [...named], messages: messages() };
    };
    const whole = await run(Infinity);
    expect(kinds(whole.messages).filter((each) => /Tool|Schema/.test(each))).toEqual([
      ...['Tool.create-tool', 'Schema.publish-schema', 'Tool.publish-tool'],
    ]);
    for (let steps = 1; ; steps += 1) {
      const { isKilled, named, messages } = await run(steps);
      expect([steps, kinds(messages)]).toEqual([steps, kinds(whole.messages)]);
      expect([steps, named]).toEqual([steps, publications(messages).map(({ id }) => id)]);
      if (!isKilled) break;
    }
  });

  it('is on the ledger once for policies that are published at once, by one process and by two', async () => {
    const { clock, effects, facts, messages, named, open } = await published('a', 'b', 'c');
    // Processes draw different numbers.
    const [one, two] = [open(), open(undefined, { ids: randomIds })];
    const settle = () => Promise.allSettled(effects.map((each, at) => (at === 2 ? two : one).settle(each, facts)));
    for (let tries = 0; tries < 5; tries += 1) {
      await settle();
      clock.advance('5m');
    }
    expect((await settle()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect([...named]).toEqual(publications(messages()).map(({ id }) => id));
    expect(named.size).toBe(1);
    expect(ofType(messages(), 'Instance-Policy')).toHaveLength(3);
  });
});
