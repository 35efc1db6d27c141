/** The registry of an owner of policies: its topic, its DID document there, and last the message by which readers find both. */
import type { JsonObject, LedgerEffect } from '@blockwork/core';
import { cidOf } from '../files/cid.js';
import { memberOf, messageText, registryText, textAt } from '../forms/message-form.js';
import { LINK_MEMO, nextOfLinks } from './plan-links.js';
import { bare, inOnePiece, type EffectFacts, type PlanDeps, type Planned } from './planned.js';
import { INSTANCE_PARTITION } from './partition.js';

const TOPIC_MEMO = 'Standard Registry organization topic';
const TOPIC_TYPE = 'USER_TOPIC';

/**
 * What is to be carried out, once in an instance for each owner, before the first effect of the owner that names its topic. `undefined`
 * if the owner has no DID of this network whose key is known: nobody could check what the message claims.
 */
export function registrationOf({ type, at, body }: LedgerEffect, network: string): LedgerEffect | undefined {
  const owner = textAt(body, 'owner');
  const document = memberOf(body, 'ownerDocument');
  if (type !== 'create-topic' || document === undefined || !owner.startsWith(`did:hedera:${network}:`))
    return undefined;
  const id = registrationId(owner);
  return { id, policyId: INSTANCE_PARTITION, at, type, topicId: owner, body: { registry: document } };
}

/** Of the effect with which an owner is announced. */
export const registrationId = (owner: string): string => `registry/${owner}`;

export const isRegistration = ({ body }: LedgerEffect): boolean => memberOf(body, 'registry') !== undefined;

/** A crash before the last message leaves a registry that nobody finds yet. */
export async function nextOfRegistry({ effect, done }: EffectFacts, deps: PlanDeps): Promise<Planned | undefined> {
  const { initializationTopic: parent } = deps;
  const { id, topicId: did = '', body } = effect;
  const [first] = done;
  const topic = first === undefined ? deps.parentTopic : topicIn(first);
  if (parent === null) return undefined;
  if (topic === null) return bare({ type: 'create-topic', memo: TOPIC_MEMO });
  const messages = done.filter(({ operation }) => operation.type === 'submit-message');
  if (messages.length === 0 && (await deps.isEmpty(topic))) {
    const about = { name: TOPIC_TYPE, description: TOPIC_TYPE, messageType: TOPIC_TYPE, rationale: null };
    return nextOfLinks({ ...about, effectId: id, owner: did }, { topic, parent, sent: 0 });
  }
  const sent = messages.length - (messages[0]?.memo === LINK_MEMO ? 1 : 0);
  if (sent === 0) {
    const text = await documentText(`${id}/did`, did, memberOf(body, 'registry') as JsonObject, deps);
    return inOnePiece(topic, text, 'DID creation message');
  }
  const text = registryText({ seed: id, did, topicId: topic });
  return sent === 1 ? inOnePiece(parent, text, 'Standard Registry initialization message') : undefined;
}

const topicIn = ({ operation, outcome }: EffectFacts['done'][number]): string =>
  operation.type === 'submit-message' ? operation.topic : (outcome?.entity ?? '');

async function documentText(effectId: string, did: string, document: JsonObject, deps: PlanDeps): Promise<string> {
  const content = Buffer.from(JSON.stringify(document), 'utf8');
  const cid = await deps.storeFile(content);
  const empty = { id: '', topicId: '', relationships: [], memo: '' };
  const message = { ...empty, type: 'did-document', owner: did, hash: cidOf(content), body: { did } };
  return messageText(message, { effectId, relationships: [], target: undefined, parents: [], cid });
}
