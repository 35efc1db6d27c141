/** The server under the soak: a file store, an engine with a peer that sends nonsense, and HTTP in front. A process of its own. */
import { createSecretKey } from 'node:crypto';
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, MemoryLink, MemoryLinkHub, newInstanceKey } from '@blockwork/core';
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
/** Hands a document to the script after it, which never ends. */
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
const endless = { expression: 'for (;;) {}', outputSchema: '', idType: 'UUID' };
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
  policyOf('hostile', [tagged('script', 'script'), tagged('customLogicBlock', 'endless', endless)]),
];

const store = await openLowdbStore({ folder, checkpointBytes: 4 * 2 ** 20 });
// The hub is the broker, which an instance has elsewhere: here it is full before anything is measured.
const hub = new MemoryLinkHub({ keptPerTopic: 500, keptKeys: 1000 });
let refused = 0;
const engine = createEngine({
  store,
  blocks: [...standardBlocks({ scripts: { milliseconds: 500 } }), note, script],
  link: new MemoryLink({ hub }),
  instance: { id: 'soak', key: newInstanceKey().privateKey },
  limits: { journalEntries: 500, answerCharacters: 2 ** 20 },
  inspector: ({ type }) => {
    if (type === 'message.refused') refused += 1;
  },
});
const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const documents = Array.from({ length: 2000 }, (_, n) => ({
  owner: 'did:example:owner',
  document: { type: ['VerifiableCredential'], credentialSubject: [{ n, text: 'x'.repeat(200) }] },
}));
for (const policy of policies) {
  await engine.importPolicy(owner, policy, { documents });
  await engine.lifecycle.dryRun(owner, policy.id);
}
await engine.program.documents.add('honest', documents);

const peer = new MemoryLink({ hub });
const nonsense = [
  {},
  { payload: 'e30', signatures: [] },
  'x'.repeat(10_000),
  [[[[[[]]]]]],
  { type: 'request', policyId: 'honest' },
];
let sent = 0;
const attack = setInterval(() => {
  sent += 1;
  void peer.publish('instance/soak', nonsense[sent % nonsense.length], `nonsense-${sent}`).catch(() => undefined);
}, 20);

const server = createPolicyServer(engine, { auth: { secret: createSecretKey(Buffer.from(secret)) } });
const { url } = await server.listen({ host: '127.0.0.1', port: 0 });

process.on('message', async (question) => {
  if (question === 'memory') {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    process.send({ memory: heapUsed + external });
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
