/** Messages about a policy in the topic of its versions. */
import type { LedgerMessage } from '@blockwork/core';
import { cidOf } from '../files/cid.js';
import { textAt } from '../forms/message-form.js';
import { policyPublicationText, type PublishedFile } from '../forms/policy-form.js';
import { NotYet } from './not-yet.js';
import { nextOfLinks } from './plan-topics.js';
import type { EffectFacts, PlanDeps, Planned } from './planned.js';

const PUBLICATION = 'publish-policy';

export const isOfPolicy = ({ type }: LedgerMessage): boolean => type === PUBLICATION;

/** Another version's effects make the topic: they may wait. */
export async function policyTopicOf(local: string, { idOf }: PlanDeps): Promise<string> {
  const topic = await idOf('policy-topic', local);
  if (topic === undefined)
    throw new NotYet('The topic of the policy is not on the ledger yet: an earlier version of the policy makes it.');
  return topic;
}

export async function policyText(
  { effect, archive }: EffectFacts,
  { owner, topicId: local, body }: LedgerMessage,
  deps: PlanDeps,
): Promise<{ readonly text: string; readonly memo: string }> {
  const topicId = await policyTopicOf(local, deps);
  const instanceTopicId = await deps.idOf('topic', textAt(body, 'instanceTopicId'));
  const facts = { seed: effect.id, owner, topicId, instanceTopicId };
  if (archive === undefined) throw new Error(`The file of the policy in the effect "${effect.id}" is not known.`);
  const text = policyPublicationText(body, facts, await stored(await archive(), deps));
  return { text, memo: 'Policy publishing message' };
}

async function stored(content: Uint8Array, { storeFile }: PlanDeps): Promise<PublishedFile> {
  const cid = await storeFile(content);
  return { cid: cid ?? cidOf(content), isStored: cid !== null };
}

/** After the policy's message, which has so many pieces: the links between its topic and that of the instance, which name it. */
export async function nextLink(
  { effect, done }: EffectFacts,
  { type, topicId: local, owner, body }: LedgerMessage,
  pieces: number,
  deps: PlanDeps,
): Promise<Planned | undefined> {
  if (type !== PUBLICATION) return undefined;
  const topic = await deps.idOf('topic', textAt(body, 'instanceTopicId'));
  if (topic === undefined) throw new Error(`The policy in the effect "${effect.id}" has no topic on the ledger.`);
  const link = {
    effectId: effect.id,
    name: textAt(body, 'name'),
    description: textAt(body, 'topicDescription'),
    owner,
    messageType: 'INSTANCE_POLICY_TOPIC',
    rationale: done[0]?.consensusAt ?? null,
  };
  return nextOfLinks(link, { topic, parent: await policyTopicOf(local, deps), sent: done.length - pieces });
}
