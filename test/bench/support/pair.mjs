/** Two instances in this process, one of which approves what the other asks; and a pair that only passes the same bytes on. */
import { createEngine, jwsSignatures, MemoryLink, MemoryLinkHub, MemoryStore, newInstanceKey } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { openNatsLink } from '@blockwork/link-nats';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const keys = { asking: newInstanceKey(), hosting: newInstanceKey() };
const keysOf = (read, kind) =>
  Object.fromEntries(Object.entries(keys).map(([name, pair]) => [name, read({ key: pair[kind], format: 'jwk' })]));
const privateKeys = keysOf(createPrivateKey, 'privateKey');
const publicKeys = keysOf(createPublicKey, 'publicKey');
const other = { asking: 'hosting', hosting: 'asking' };
const owner = { did: 'did:hosting:owner', role: 'STANDARD_REGISTRY' };
const user = { did: 'did:asking:user', role: 'USER' };
export const servers = process.env.BLOCKWORK_NATS ?? '127.0.0.1:4222';

/** Half a kilobyte of data, of which it keeps a document. */
const box = defineBlock({
  type: 'box',
  title: 'Box',
  description: '',
  kind: 'interface',
  input: z.looseObject({}),
  async receive(ctx, data) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'datum', document: data });
    return {};
  },
});
const data = { site: 'Hilltop', text: 'x'.repeat(500) };
const policyIds = Array.from({ length: Number(process.env.BENCH_POLICIES ?? 50) }, (_, at) => `box-${at}`);
const question = {
  to: 'hosting',
  policyId: 'box',
  action: { type: 'send-data', tag: 'box', user: { did: user.did }, data },
};

/** `link`: `memory` or `nats`; `store`: `memory`, or a folder for files. Gives `run(count, atOnce)`, which resolves when all are answered. */
export async function blockworkPair(link, store) {
  const hub = new MemoryLinkHub();
  const stream = `bench-${randomUUID()}`;
  const openEngine = async (name) =>
    createEngine({
      link: link === 'nats' ? await openNatsLink({ servers, stream }) : new MemoryLink({ hub }),
      store: store === 'memory' ? new MemoryStore() : await openLowdbStore({ folder: join(store, stream, name) }),
      blocks: [box],
      instance: { id: name, key: keys[name].privateKey },
      peers: [{ id: other[name], key: keys[other[name]].publicKey, identities: [`did:${other[name]}:*`] }],
      autoApprove: () => true,
    });
  const [asking, hosting] = [await openEngine('asking'), await openEngine('hosting')];
  const config = { blockType: 'box', tag: 'box', permissions: ['ANY_ROLE'] };
  // The units of one policy run one after another; an instance hosts many.
  for (const policyId of policyIds) await hosting.importPolicy(owner, { id: policyId, name: policyId, config });
  let requestCount = 0;
  const one = async () => {
    const { messageId } = await asking.requests.ask(user, {
      ...question,
      policyId: policyIds[(requestCount += 1) % policyIds.length],
    });
    const { status } = await asking.requests.waitForAnswer(user, messageId, 60_000);
    if (status !== 'COMPLETED') throw new Error(`A request is ${status}.`);
  };
  const close = async () => {
    await asking.close();
    await hosting.close();
    if (link === 'nats') await removeStream(stream);
  };
  return { run: (count, atOnce) => inFlight(count, atOnce, one), close };
}

/**
 * The two messages of a conversation, published and consumed with JetStream and nothing else. `isSigned`: each is signed before it is sent and
 * verified before it is believed, as between instances. `folder`: each step is on the disk before the next one, as it must be for a request that is
 * neither lost nor carried out twice: the question before it is asked, what was done and the answer before it is given, the answer before it is told.
 */
export async function barePair({ isSigned = false, folder } = {}) {
  const stream = `bare-${randomUUID()}`;
  const [asking, hosting] = [await connect({ servers }), await connect({ servers })];
  await (await jetstreamManager(asking)).streams.add({ name: stream, subjects: [`${stream}.>`] });
  const [request, answer] = await payloads();
  const keep = folder === undefined ? {} : { asking: await appender(folder), hosting: await appender(folder) };
  const pending = new Map();
  const consume = async (connection, subject, take) => {
    const consumer = await jetstream(connection).consumers.get(stream, {
      filter_subjects: `${stream}.${subject}`,
      deliver_policy: DeliverPolicy.All,
    });
    return consumer.consume({ max_messages: 256, callback: take });
  };
  const publish = async (connection, subject, body, id) => {
    const sent = isSigned ? await signedAgain(body, other[subject]) : body;
    await jetstream(connection).publish(`${stream}.${subject}`, sent, { msgID: `${subject} ${id}` });
  };
  const believe = async (message, from) => {
    if (isSigned) await jwsSignatures.verify(message.string(), publicKeys[from]);
  };
  await consume(hosting, 'hosting', async (message) => {
    await believe(message, 'asking');
    await keep.hosting?.append(answer);
    void publish(hosting, 'asking', answer, message.headers.get('Nats-Msg-Id').split(' ')[1]);
  });
  await consume(asking, 'asking', async (message) => {
    await believe(message, 'hosting');
    await keep.asking?.append(answer);
    pending.get(message.headers.get('Nats-Msg-Id').split(' ')[1])?.();
  });
  let requestCount = 0;
  const one = async () => {
    const id = String((requestCount += 1));
    const answered = new Promise((resolve) => pending.set(id, resolve));
    await keep.asking?.append(request);
    await publish(asking, 'hosting', request, id);
    await answered;
    pending.delete(id);
  };
  const close = async () => {
    await asking.close();
    await hosting.close();
    for (const { close } of Object.values(keep)) await close();
    await removeStream(stream);
  };
  return { run: (count, atOnce) => inFlight(count, atOnce, one), close };
}

/** As the engines would write them: signed, and of the same size. */
function payloads() {
  const head = {
    policyId: 'box-1',
    startMessageId: '1773670900.819264517000000001',
    sentAt: '2026-03-14T09:26:53.589Z',
  };
  const request = {
    type: 'request',
    from: { instance: 'asking', did: user.did },
    to: 'hosting',
    ...head,
    action: question.action,
  };
  const answer = { type: 'completed', from: { instance: 'hosting', did: 'rule' }, to: 'asking', ...head, result: {} };
  const seal = (message, name) => jwsSignatures.sign(JSON.stringify(message), name, privateKeys[name]);
  return Promise.all([seal({ ...request, expiresAt: head.sentAt }, 'asking'), seal(answer, 'hosting')]);
}

/** A file of its own, to which texts are appended: those that come while one is being flushed are flushed together. */
async function appender(folder) {
  const file = await open(join(folder, randomUUID()), 'w');
  let [waiting, last] = [[], Promise.resolve()];
  const flush = async () => {
    const texts = waiting;
    waiting = [];
    await file.write(texts.join('\n'));
    await file.datasync();
  };
  const append = (text) => {
    if (waiting.push(text) === 1) last = last.then(flush);
    return last;
  };
  return { append, close: () => file.close() };
}

function signedAgain(body, name) {
  const text = Buffer.from(body.split('.')[1], 'base64url').toString();
  return jwsSignatures.sign(text, name, privateKeys[name]);
}

async function removeStream(stream) {
  const connection = await connect({ servers });
  await (await jetstreamManager(connection)).streams.delete(stream);
  await connection.close();
}

async function inFlight(count, atOnce, one) {
  let left = count;
  const work = async () => {
    while ((left -= 1) >= 0) await one();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
