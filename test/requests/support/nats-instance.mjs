/** One instance in a process of its own, over NATS and a file store: `node nats-instance.mjs <settings as JSON>`. It asks, approves what it is asked, and is killed at the commit that its settings name. */
import { createEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { INSTANCE } from '@blockwork/core/records';
import { openNatsLink } from '@blockwork/link-nats';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { z } from 'zod';
import { openMortal } from '../../support/mortal-store.js';

const { name, peer, folder, servers, stream, key, peerKey, conversations, death } = JSON.parse(process.argv[2]);
const owner = { did: `did:${name}:owner`, role: 'STANDARD_REGISTRY' };
const user = { did: `did:${name}:user`, role: 'USER' };

/** Every datum becomes a document: as many as were carried out. */
const box = (type) =>
  defineBlock({
    type,
    title: type,
    description: '',
    kind: 'interface',
    input: z.looseObject({}),
    async receive(ctx, data) {
      await ctx.documents.add({ owner: ctx.user.did, type, document: data });
      return { taken: data.n ?? null };
    },
  });

const block = (blockType, tag, children = []) => ({ blockType, tag, permissions: ['ANY_ROLE'], children });
const config = block('interfaceContainerBlock', 'root', [block('ballot', 'ballot'), block('notebook', 'notebook')]);

const store = await openMortal(() => openLowdbStore({ folder }), death);
const engine = createEngine({
  store,
  link: await openNatsLink({ servers, stream, publishMs: 2000 }),
  blocks: [box('ballot'), box('notebook')],
  instance: { id: name, key },
  peers: [{ id: peer, key: peerKey, identities: [`did:${peer}:*`] }],
  // Two of three are approved by the rule; of the rest the loop below decides.
  autoApprove: ({ action }) => action.data.n % 3 !== 0,
});
const policyId = `votes-${name}`;
if ((await store.get('policy', INSTANCE, policyId)) === undefined) {
  await engine.importPolicy(owner, { id: policyId, name: 'Votes', config });
}

const count = (filter) => engine.requests.count(filter.caller, filter);
/** Asks until all conversations are begun; a process that was started again begins those that are not in the store. */
async function ask() {
  for (;;) {
    const rows = await store.find('request', INSTANCE, { where: { path: 'direction', op: 'eq', value: 'outgoing' } });
    const begun = new Set(rows.map(({ action }) => action.data.n));
    const missing = Array.from({ length: conversations }, (_, n) => n).filter((n) => !begun.has(n));
    if (missing.length === 0) return;
    await Promise.all(
      missing.slice(0, 10).map((n) =>
        engine.requests.ask(user, {
          to: peer,
          policyId: `votes-${peer}`,
          action: { type: 'send-data', tag: 'ballot', user: { did: user.did }, data: { n } },
          resume: { policyId, tag: 'notebook', user: { did: user.did } },
        }),
      ),
    );
  }
}

/** Rejects half of what the rule leaves, and approves the other half; takes some questions back. */
async function decide() {
  while (engine.isOpen) {
    const { items } = await engine.requests.list(owner, { status: 'NEW', direction: 'incoming', limit: 20 });
    await Promise.allSettled(
      items
        .filter(({ action }) => action.data.n % 3 === 0)
        .map(({ messageId, action }) =>
          action.data.n % 2 === 0
            ? engine.requests.reject(owner, messageId, 'even')
            : engine.requests.approveAsOffered(owner, messageId),
        ),
    );
    const mine = await engine.requests.list(user, { status: 'NEW', direction: 'outgoing', limit: 20 });
    await Promise.allSettled(
      mine.items
        .filter(({ action }) => action.data.n % 10 === 9)
        .map((row) => engine.requests.cancel(user, row.messageId)),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

void ask();
void decide();
setInterval(async () => {
  const [askedCount, heard, refused] = [
    await count({ caller: user, direction: 'outgoing' }),
    await count({ caller: owner, direction: 'incoming' }),
    (await engine.requests.getRefusalReport(owner)).counts,
  ];
  const unsent = await store.count('outbox', INSTANCE);
  process.send?.({
    asked: askedCount.total,
    open: askedCount.statuses.NEW + heard.statuses.NEW,
    heard: heard.total,
    unsent,
    refused,
  });
}, 100);

process.on('message', () => void engine.close().then(() => process.exit(0)));
// What was under way when it was told to end.
process.on('unhandledRejection', (error) => {
  if (engine.isOpen) throw error;
});
process.on('disconnect', () => process.exit(1));
