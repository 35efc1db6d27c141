/** Messages about a policy as the reference writes them: in one piece, since its readers do not join pieces. */
import type { Json, JsonObject } from '@blockwork/core';
import { fitted } from './fitted.js';
import { textAt, uuidOf } from './message-form.js';

export interface PolicyFacts {
  /** Of what the message's id is made. */
  readonly seed: string;
  readonly owner: string;
  /** The ledger's ids; `undefined` for none. */
  readonly topicId: string;
  readonly instanceTopicId?: string | undefined;
}

/** Where a file is, or only what it would be called: without a place for files. */
export interface PublishedFile {
  readonly cid: string;
  readonly isStored: boolean;
}

const head = (seed: string, type: string, action: string): JsonObject => ({
  id: uuidOf(seed),
  status: 'ISSUE',
  type,
  action,
  lang: 'en-US',
});

/** What the policy says of itself, in the order of the reference. */
const about = (body: Json, { owner, topicId, instanceTopicId }: PolicyFacts): JsonObject => ({
  uuid: textAt(body, 'uuid'),
  name: textAt(body, 'name'),
  description: textAt(body, 'description'),
  topicDescription: textAt(body, 'topicDescription'),
  version: textAt(body, 'version'),
  policyTag: textAt(body, 'policyTag'),
  owner,
  topicId,
  ...(instanceTopicId !== undefined && { instanceTopicId }),
});

/** In the order in which the reference cuts them. */
const LONG = ['topicDescription', 'description', 'name', 'policyTag'];

/** Announces the topic in which the policy's versions will be. */
export function policyCreationText(body: Json, facts: PolicyFacts): string {
  const { version: _, ...members } = about(body, facts);
  return fitted({ ...head(facts.seed, 'Policy', 'create-policy'), ...members }, LONG);
}

/** Readers import the file that it names; without one, they know the policy by name only. */
export function policyPublicationText(body: Json, facts: PolicyFacts, { cid, isStored }: PublishedFile): string {
  const file = isStored ? { cid, uri: `ipfs://${cid}` } : { hash: cid };
  return fitted({ ...head(facts.seed, 'Instance-Policy', 'publish-policy'), ...about(body, facts), ...file }, LONG);
}
