/** Runs a policy with a custom block type, which is registered when the engine is created. */
import { createEngine } from '@blockwork/core';
import { energyCounterBlock } from './energy-counter.js';
import { policy } from './policy.js';

const author = { did: 'did:example:author', role: 'STANDARD_REGISTRY' };
const user = { did: 'did:example:user', role: 'USER' };

const engine = createEngine({ blocks: [energyCounterBlock] });
const { policy: record, findings } = await engine.importPolicy(author, policy);
console.log('findings:', findings);

for (const kWh of [400, 350, 300]) {
  const answer = await engine.sendToBlock(user, record.id, { tag: 'counter' }, { kWh });
  console.log(`reported ${kWh} kWh:`, answer);
}
console.log('the user is now at:', await engine.readRoot(user, record.id));
await engine.close();
