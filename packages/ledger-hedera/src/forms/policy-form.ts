/** Messages about a policy and its schemas as the reference writes them: in one piece, since its readers do not join pieces. */
import type { Json, JsonObject } from '@blockwork/core';
import type { PublishedTool } from '@blockwork/core/adapter';
import { CHUNK_BYTES } from '../transactions/operation.js';
import { ascii, fitted } from './fitted.js';
import { memberOf, textAt, uuidOf } from './message-form.js';

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

/** The policy accepts no data from the date on. `action`: `discontinue-policy`, or `deferred-discontinue-policy` before. */
export function discontinuationText(body: Json, facts: PolicyFacts, action: string): string {
  const effectiveDate = textAt(body, 'effectiveDate');
  return fitted({ ...head(facts.seed, 'Instance-Policy', action), ...about(body, facts), effectiveDate }, LONG);
}

export interface ToolFacts {
  readonly seed: string;
  readonly owner: string;
  /** The ledger's id of the tool's own topic. */
  readonly topicId: string;
  readonly tool: Pick<PublishedTool, 'uuid' | 'name' | 'description' | 'hash'>;
}

const aboutTool = ({ tool: { uuid, name, description }, seed, owner }: ToolFacts): JsonObject => ({
  uuid: uuid === '' ? uuidOf(`${seed}/tool`) : uuid,
  name,
  description,
  owner,
});

/** Announces the topic in which the tool will be. */
export const toolCreationText = (facts: ToolFacts): string =>
  fitted({ ...head(facts.seed, 'Tool', 'create-tool'), ...aboutTool(facts), topicId: facts.topicId }, [
    'description',
    'name',
  ]);

/** Policies name the tool by this message and the hash. */
export function toolPublicationText(facts: ToolFacts, cid: string): string {
  const { tool, topicId } = facts;
  const file = { hash: tool.hash, topicId, cid, uri: `ipfs://${cid}` };
  return fitted({ ...head(facts.seed, 'Tool', 'publish-tool'), ...aboutTool(facts), ...file }, ['description', 'name']);
}

export interface SchemaFacts {
  readonly seed: string;
  readonly owner: string;
  /** The ledger's ids of the messages of the schemas that it uses. */
  readonly relationships: readonly string[];
  readonly documentCid: string;
  readonly contextCid: string;
}

export function schemaText(body: Json, facts: SchemaFacts): string {
  const { seed, owner, relationships, documentCid, contextCid } = facts;
  const action = memberOf(body, 'isSystem') === true ? 'publish-system-schema' : 'publish-schema';
  const message = {
    ...head(seed, 'Schema', action),
    name: textAt(body, 'name'),
    description: textAt(body, 'description'),
    entity: textAt(body, 'entity'),
    owner,
    uuid: textAt(body, 'uuid'),
    version: textAt(body, 'version'),
    relationships: [...relationships],
    document_cid: documentCid,
    document_uri: `ipfs://${documentCid}`,
    context_cid: contextCid,
    context_uri: `ipfs://${contextCid}`,
    code_version: textAt(body, 'codeVersion'),
  };
  return fitted(fewerRelationships(message), ['description', 'name']);
}

/** The schemas that a schema uses are in its document as well: those that find no place here are left out. */
function fewerRelationships(message: JsonObject & { readonly relationships: readonly string[] }): JsonObject {
  const others = { ...message, description: '', name: '', relationships: [] };
  const room = CHUNK_BYTES - ascii(others).length - TEXTS;
  return { ...message, relationships: message.relationships.slice(0, Math.max(0, Math.floor(room / RELATIONSHIP))) };
}

/** Bytes for name and description, and of a message id with its quotes and comma. */
const TEXTS = 200;
const RELATIONSHIP = 23;
