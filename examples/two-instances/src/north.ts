/** The instance that hosts the policy: it offers a view to the other instance and decides on its requests. */
import { createEngine } from '@blockwork/core';
import type { InstanceOptions, Link, Peer } from '@blockwork/core';
import { ballot, policy } from './ballot.js';

const owner = { did: 'did:north:owner', role: 'STANDARD_REGISTRY' };
const say = (text: string): void => console.log(`north: ${text}`);

/** Resolves once both requests are decided and the answers are sent. */
export async function north(link: Link, instance: InstanceOptions, peer: Peer): Promise<void> {
  const engine = createEngine({ link, instance, peers: [peer], blocks: [ballot] });
  await engine.importPolicy(owner, policy);
  await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const offered = await engine.requests.offerPolicy(owner, policy.id, { to: peer.id, view: true });
  say(`offers the policy "${policy.name}" to ${peer.id}`);
  const { status } = await engine.requests.waitForAnswer(owner, offered.messageId, 30_000);
  say(`the offer is ${status}`);

  for (let decided = 0; decided < 2;) {
    const { items } = await engine.requests.list(owner, { status: 'NEW', direction: 'incoming' });
    for (const { messageId, action, sender } of items) {
      say(`${sender.did} at ${sender.instance} asks: ${JSON.stringify('data' in action ? action.data : action.type)}`);
      if (decided === 0) {
        await engine.requests.approveAsOffered(owner, messageId);
        await engine.requests.approveAsOffered(owner, messageId);
        say('approves it, twice: it is carried out once');
      } else {
        await engine.requests.reject(owner, messageId, 'one vote is enough');
        say('rejects it');
      }
      decided += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await engine.program.requests.idle();
  await engine.close();
}
