/** The server under the soak: a file store, an engine with hostile peers, and HTTP in front. A process of its own. */
import { createSecretKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryLink, MemoryLinkHub, MemoryStore, newInstanceKey } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { createPolicyServer } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { z } from 'zod';

const [, , folder, secret] = process.argv;

const about = { description: '', kind: 'interface', children: [] };
/** Leaves an entry in the journal and nothing else that grows. */
const note = defineBlock({
  ...about,
  type: 'note',
  title: 'Note',
  input: z.object({ n: z.number() }),
  async receive(ctx, value) {
    await ctx.state.set(value);
  },
});
/** Hands a document to the script after it. */
const script = defineBlock({
  ...about,
  type: 'script',
  title: 'Script',
  receive: (ctx) => ctx.emit('RunEvent', { owner: ctx.user.did, document: { type: ['VerifiableCredential'] } }),
});

const tagged = (blockType, tag, more = {}) => ({
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  ...more,
});
/** What scripts do to a machine: take its time, its memory, and all that may be handed back. */
const scripts = {
  endless: 'for (;;) {}',
  greedy: 'const held = []; for (;;) held.push(new Array(100000).fill(held.length));',
  talkative: "done([{ text: 'x'.repeat(8000000) }]);",
};
const hostile = Object.entries(scripts).map(([tag, expression]) =>
  tagged('interfaceContainerBlock', `${tag}-room`, {
    children: [
      tagged('script', tag),
      tagged('customLogicBlock', `${tag}-script`, { expression, passOriginal: true, outputSchema: '' }),
    ],
  }),
);
const grid = {
  uiMetaData: { enableSorting: true },
  children: [
    tagged('documentsSourceAddon', 'source', { dataType: 'vc-documents' }),
    tagged('paginationAddon', 'pages'),
  ],
};
const policyOf = (id, children) => ({
  id,
  name: id,
  description: '',
  config: tagged('interfaceContainerBlock', 'root', { children }),
});
const policies = [
  policyOf('honest', [tagged('interfaceDocumentsSourceBlock', 'grid', grid), tagged('note', 'note')]),
  policyOf('hostile', [...hostile, tagged('note', 'note')]),
  policyOf('hostile-too', hostile),
];

const store = await openLowdbStore({ folder, checkpointBytes: 4 * 2 ** 20 });
// The hub is the broker, which an instance has elsewhere: here it is full before anything is measured.
const hub = new MemoryLinkHub({ keptPerTopic: 500, keptKeys: 1000 });
const keys = { soak: newInstanceKey(), north: newInstanceKey() };
const refused = {};
const engine = createEngine({
  store,
  blocks: [...standardBlocks({ scripts: { milliseconds: 500 } }), note, script],
  link: new MemoryLink({ hub }),
  instance: { id: 'soak', key: keys.soak.privateKey },
  peers: [{ id: 'north', key: keys.north.publicKey, identities: ['did:north:*'] }],
  limits: { journalEntries: 500, answerCharacters: 2 ** 20, peerRequests: 50 },
  inspector: (inspection) => {
    if (inspection.type === 'message.refused') refused[inspection.reason] = (refused[inspection.reason] ?? 0) + 1;
  },
});
const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const documents = Array.from({ length: 2000 }, (_, n) => ({
  owner: 'did:example:owner',
  document: { type: ['VerifiableCredential'], credentialSubject: [{ n, text: 'x'.repeat(200) }] },
}));
for (const policy of policies) {
  await engine.importPolicy(owner, policy, { documents });
  const { isValid, findings } = await engine.lifecycle.dryRun(owner, policy.id);
  if (!isValid) throw new Error(`${policy.id} cannot be tried: ${JSON.stringify(findings)}`);
}
await engine.program.documents.add('honest', documents);

/** What a peer that is trusted has sent: more requests than it may have open. */
async function requestsOfPeer() {
  const link = new MemoryLink({ hub });
  const publish = link.publish.bind(link);
  const sent = [];
  link.publish = (topic, body, id) => {
    sent.push(body);
    return publish(topic, body, id);
  };
  const north = createEngine({
    store: new MemoryStore(),
    link,
    instance: { id: 'north', key: keys.north.privateKey },
    peers: [{ id: 'soak', key: keys.soak.publicKey, identities: ['did:example:*'] }],
  });
  const asker = { did: 'did:north:ana', role: 'USER' };
  for (let n = 0; n < 80; n += 1) {
    const action = { type: 'send-data', tag: 'note', user: { did: asker.did }, data: { n } };
    await north.requests.ask(asker, { to: 'soak', policyId: 'honest', action });
  }
  while (sent.length < 80 || !(refused.excessive > 0)) await pause(10);
  await north.close();
  return sent;
}

const requested = await requestsOfPeer();
const tampered = requested.map((body) => `${body.slice(0, -8)}AAAAAAAA`);
const nonsense = [
  {},
  { payload: 'e30', signatures: [] },
  'x'.repeat(10_000),
  [[[[[[]]]]]],
  { type: 'request', policyId: 'honest' },
];
const messages = [nonsense, requested, tampered];
const peer = new MemoryLink({ hub });
let sent = 0;
const attack = setInterval(() => {
  sent += 1;
  const kind = messages[sent % messages.length];
  const message = kind[Math.floor(sent / messages.length) % kind.length];
  void peer.publish('instance/soak', message, `hostile-${sent}`).catch(() => undefined);
}, 20);

const server = createPolicyServer(engine, { auth: { secret: createSecretKey(Buffer.from(secret)) } });
const { url } = await server.listen({ host: '127.0.0.1', port: 0 });

process.on('message', async (question) => {
  if (question === 'memory') {
    globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send({ memory: heapUsed + external, rss });
    return;
  }
  clearInterval(attack);
  process.send({ refused });
  await server.close();
  await engine.close();
  await peer.close();
  process.disconnect();
});
process.send({ url });
