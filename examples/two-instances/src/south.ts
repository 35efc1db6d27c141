/** The instance whose user works on the policy of the other instance. */
import { createEngine } from '@blockwork/core';
import type { InstanceOptions, Link, Peer } from '@blockwork/core';
import { ballot, policy } from './ballot.js';

const registry = { did: 'did:south:registry', role: 'STANDARD_REGISTRY' };
const ana = { did: 'did:south:ana', username: 'ana', role: 'USER' };
const say = (text: string): void => console.log(`south: ${text}`);

/** Resolves when both of its requests are answered. */
export async function south(link: Link, instance: InstanceOptions, peer: Peer): Promise<void> {
  // Accepts offers of the peer automatically.
  const autoApprove = ({ type }: { type: string }): boolean => type === 'import-policy';
  const engine = createEngine({ link, instance, peers: [peer], autoApprove, blocks: [ballot] });
  while ((await engine.program.requests.getHost(policy.id)) === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { name, status } = await engine.getPolicy(registry, policy.id);
  say(`has a view of "${name}" now (status ${status})`);

  for (const vote of ['yes', 'yes again']) {
    const request = await engine.requests.sendToRemoteBlock(ana, policy.id, { tag: 'ballot' }, { vote });
    say(`ana votes "${vote}", in the conversation ${request.startMessageId}`);
    const answer = await engine.requests.waitForAnswer(ana, request.messageId, 30_000);
    say(`the answer is ${answer.status}: ${JSON.stringify(answer.closed?.result ?? answer.closed?.reason)}`);
    if (answer.status === 'NEW') throw new Error('No answer arrived.');
  }
  await engine.close();
}
