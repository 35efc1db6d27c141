/** Messages about a policy and its schemas in the topic of its versions. */
import type { LedgerMessage } from '@blockwork/core';
import { cidOf } from '../files/cid.js';
import { textAt } from '../forms/message-form.js';
import { discontinuationText, policyPublicationText, type PublishedFile, schemaText } from '../forms/policy-form.js';
import { NotYet } from './not-yet.js';
import { nextOfLinks } from './plan-links.js';
import { SCHEMA_MEMO, storedSchema } from './schema-files.js';
import { type EffectFacts, onLedger, type PlanDeps, type Planned } from './planned.js';

const PUBLICATION = 'publish-policy';
const SCHEMA = 'schema';
const messageTypes = new Set([PUBLICATION, SCHEMA, 'discontinue-policy', 'deferred-discontinue-policy']);

export const isOfPolicy = ({ type }: LedgerMessage): boolean => messageTypes.has(type);

/** Another version's effects make the topic: they may wait. */
export async function policyTopicOf(local: string, { idOf }: PlanDeps): Promise<string> {
  const topic = await idOf('policy-topic', local);
  if (topic === undefined)
    throw new NotYet('The topic of the policy is not on the ledger yet: an earlier version of the policy makes it.');
  return topic;
}

export interface Content {
  readonly text: string;
  /** Of the transaction. */
  readonly memo: string;
}

/** `undefined` if nothing is to be sent: a schema without a place for its files. */
export function policyContent(
  facts: EffectFacts,
  message: LedgerMessage,
  deps: PlanDeps,
): Promise<Content | undefined> {
  return message.type === SCHEMA ? schemaContent(facts, message, deps) : publicationContent(facts, message, deps);
}

async function schemaContent(
  { effect, schema }: EffectFacts,
  { owner, relationships: used, body }: LedgerMessage,
  deps: PlanDeps,
): Promise<Content | undefined> {
  if (schema === undefined) throw new Error(`The schema in the effect "${effect.id}" is not known.`);
  const files = await storedSchema(schema, deps);
  if (files === undefined) return undefined;
  const text = schemaText(body, { seed: effect.id, owner, relationships: await onLedger(used, deps), ...files });
  return { text, memo: SCHEMA_MEMO };
}

async function publicationContent(
  { effect, archive }: EffectFacts,
  { type, owner, topicId: local, body }: LedgerMessage,
  deps: PlanDeps,
): Promise<Content> {
  const topicId = await policyTopicOf(local, deps);
  const instanceTopicId = await deps.idOf('topic', textAt(body, 'instanceTopicId'));
  const facts = { seed: effect.id, owner, topicId, instanceTopicId };
  if (type !== PUBLICATION) return { text: discontinuationText(body, facts, type), memo: 'Policy discontinue message' };
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
