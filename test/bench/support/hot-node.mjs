/** A node as a process: clients of its own send to one policy, as its parent says, and it tells how that went. */
import { createEngine, SeededKeys } from '@blockwork/core';
import { openPostgresStore } from '@blockwork/store-postgres';
import { chainBlocks, chainPolicy } from './chain.mjs';
import { registry } from './policy.mjs';

const document = { owner: 'did:example:user', document: { credentialSubject: [{ site: 'Roof', hours: 12.5 }] } };
const [address] = process.argv.slice(2);
let counted = { units: 0, attempts: 0 };
const engine = createEngine({
  store: await openPostgresStore({ address }),
  blocks: chainBlocks,
  keys: new SeededKeys(Buffer.alloc(32, 7)),
  inspector: (inspection) => {
    if (inspection.type !== 'unit.committed') return;
    counted.units += 1;
    counted.attempts += inspection.attempts;
  },
});

const tasks = {
  async create(length) {
    return (await engine.importPolicy(registry, chainPolicy(length, true))).policy.id;
  },
  /** Each client sends again as soon as it is answered, or refused. */
  async send({ policyId, clients, milliseconds }) {
    counted = { units: 0, attempts: 0 };
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
