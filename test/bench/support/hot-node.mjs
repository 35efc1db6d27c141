/** A node as a process: clients of its own send to one policy, as its parent says, and it tells how that went. */
import { tracingChannel } from 'node:diagnostics_channel';
import { createEngine, SeededKeys } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import { chainBlocks, chainPolicy } from './chain.mjs';
import { registry } from './policy.mjs';

const document = { owner: 'did:example:user', document: { credentialSubject: [{ site: 'Roof', hours: 12.5 }] } };
const [address] = process.argv.slice(2);
/** The units that this node committed, and how often it ran units. */
let counted = { committed: 0, attempts: 0 };
tracingChannel('blockwork:send').asyncEnd.subscribe(({ attempts = 0, changes = 0 }) => {
  counted.committed += changes > 0 ? 1 : 0;
  counted.attempts += attempts;
});
const engine = createEngine({
  store: await openPostgresStore({ address }),
  blocks: chainBlocks,
  keys: new SeededKeys(Buffer.alloc(32, 7)),
});

const tasks = {
  async create(length) {
    return (await engine.importPolicy(registry, chainPolicy(length, true))).policy.id;
  },
  /** Each client sends again as soon as it is answered, or refused. */
  async send({ policyId, clients, milliseconds }) {
    counted = { committed: 0, attempts: 0 };
    const waits = [];
    const refusals = [];
    const ends = performance.now() + milliseconds;
    const client = async () => {
      while (performance.now() < ends) {
        const began = performance.now();
        await engine
          .sendToBlock(registry, policyId, { tag: 'block-0' }, document)
          .catch((error) => refusals.push(error.code ?? String(error)));
        waits.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return { waits, refusals, ...counted };
  },
  async close() {
    await engine.close();
    setImmediate(() => process.disconnect());
  },
};

process.on('message', async ({ id, task, argument }) => {
  process.send({ id, answer: await tasks[task](argument) });
});
process.send('ready');
