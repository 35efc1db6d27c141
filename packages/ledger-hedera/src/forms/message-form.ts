/** Messages as the reference's tools write and read them: JSON with the members in their order, as ASCII. */
import { createHash } from 'node:crypto';
import type { Json, JsonObject, LedgerMessage } from '@blockwork/core';
import { CHUNK_BYTES } from '../transactions/operation.js';
import { ascii, fitted } from './fitted.js';

/** What stands in a message besides the book's own: ids as they are on the ledger, and where the document's file is. */
export interface FormFacts {
  /** Of the effect: the message's id is made of it, so that a message made again has the same. */
  readonly effectId: string;
  /** The ids of `relationships` that are on the ledger. */
  readonly relationships: readonly string[];
  /** The ledger's id of the token or message that the body names, if any. */
  readonly target: string | undefined;
  readonly parents: readonly string[];
  /** The CID of the document's file; `null` if no file was stored. */
  readonly cid: string | null;
}

type Body = (message: LedgerMessage, facts: FormFacts) => JsonObject;

const file = ({ hash }: LedgerMessage, { cid }: FormFacts): JsonObject =>
  cid === null ? { hash } : { cid, uri: `ipfs://${cid}` };

const document: Body = (message, facts) => ({
  issuer: issuerOf(message),
  relationships: [...facts.relationships],
  encodedData: false,
  option: {},
  ...file(message, facts),
});

/** The type of messages that witness a log. */
const CHECKPOINT_TYPE = 'Blockwork-Checkpoint';

const forms: Readonly<Record<string, { readonly type: string; readonly action: string; readonly body: Body }>> = {
  'vc-document': { type: 'VC-Document', action: 'create-vc-document', body: document },
  'role-document': { type: 'Role-Document', action: 'create-vc-document', body: document },
  'vp-document': {
    type: 'VP-Document',
    action: 'create-vp-document',
    body: (message, facts) => ({
      issuer: issuerOf(message),
      relationships: [...facts.relationships],
      option: {},
      ...file(message, facts),
    }),
  },
  'did-document': {
    type: 'DID-Document',
    action: 'create-did-document',
    body: (message, facts) => ({ did: textAt(message.body, 'did'), ...file(message, facts) }),
  },
  checkpoint: {
    type: CHECKPOINT_TYPE,
    action: 'publish',
    body: ({ body }) => ({ note: textAt(body, 'note') }),
  },
  token: {
    type: 'Token',
    action: 'create-token',
    body: ({ body, owner }, { target = '' }) => ({
      tokenId: target,
      tokenName: textAt(body, 'tokenName'),
      tokenSymbol: textAt(body, 'tokenSymbol'),
      tokenType: textAt(body, 'tokenType'),
      decimals: textAt(body, 'decimals'),
      owner,
    }),
  },
};

/** The text of the message, in ASCII. */
export function messageText(message: LedgerMessage, facts: FormFacts): string {
  const id = uuidOf(facts.effectId);
  if (message.type === 'revoke') return ascii(revocation(id, message, facts));
  const form = forms[message.type] ?? {
    // Readers pass over types that they do not know.
    type: `Blockwork-${message.type}`,
    action: 'publish',
    body: ({ owner, hash }: LedgerMessage, { cid }: FormFacts) => ({
      owner,
      hash,
      relationships: [...facts.relationships],
      ...(cid !== null && { cid, uri: `ipfs://${cid}` }),
    }),
  };
  const { type, action, body } = form;
  return ascii({ id, status: 'ISSUE', type, action, lang: 'en-US', ...body(message, facts) });
}

/** The checkpoint in a message; `undefined` for a message of another form. */
export function checkpointIn(content: Uint8Array): string | undefined {
  try {
    const message = JSON.parse(Buffer.from(content).toString('utf8')) as Json;
    return textAt(message, 'type') === CHECKPOINT_TYPE ? textAt(message, 'note') : undefined;
  } catch {
    return undefined;
  }
}

const revocation = (id: string, { body }: LedgerMessage, { target = '', parents }: FormFacts): JsonObject => ({
  id,
  status: 'REVOKE',
  type: forms[textAt(body, 'type')]?.type ?? 'VC-Document',
  action: 'revoke-document',
  lang: 'en-US',
  revokeMessage: target,
  reason: parents.length === 0 ? 'Document Revoked' : 'Parent Revoked',
  ...(parents.length > 0 && { parentIds: [...parents] }),
});

export interface TopicLink {
  readonly effectId: string;
  /** The message that is why the topic was made; `null` for none. */
  readonly rationale: string | null;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly messageType: string;
  readonly childId: string | null;
  readonly parentId: string | null;
}

/** The first message of a topic, which names its parent, and the one in the parent that names the child. */
export const topicLinkText = ({ effectId, rationale, ...link }: TopicLink): string =>
  fitted(
    {
      id: uuidOf(`${effectId}/${link.childId === null ? 'parent' : 'child'}`),
      status: 'ISSUE',
      type: 'Topic',
      action: 'create-topic',
      lang: 'en-US',
      ...link,
      rationale,
    },
    ['description', 'name'],
  );

/** Announces a registry and the topic in which all else of it is found. */
export const registryText = ({ seed, ...facts }: { seed: string; did: string; topicId: string }): string =>
  ascii({
    id: uuidOf(seed),
    status: 'ISSUE',
    type: 'Standard Registry',
    action: 'Init',
    lang: 'en-US',
    ...facts,
    attributes: {},
  });

/** Pieces of at most 1,024 bytes. Readers that do not join them can read a message only if it is one piece. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += CHUNK_BYTES) chunks.push(text.slice(at, at + CHUNK_BYTES));
  return chunks;
}

/** Of RFC 9562's URL namespace. */
const NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** A UUID of version 5 (RFC 9562). */
export function uuidOf(effectId: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(`blockwork:${effectId}`).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An issuer may be an object with the DID as `id`. */
function issuerOf({ body, owner }: LedgerMessage): string {
  const issuer = memberOf(body, 'issuer');
  const id = memberOf(issuer, 'id');
  return [issuer, id, owner].find((candidate): candidate is string => typeof candidate === 'string') ?? owner;
}

export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;

export function textAt(value: Json | undefined, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : typeof text === 'number' ? String(text) : '';
}
