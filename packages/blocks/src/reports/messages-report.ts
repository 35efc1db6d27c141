/** `messagesReportBlock`: a ledger message with all its transitive references, by topic. */
import {
  defineBlock,
  type DocumentRecord,
  heading,
  isObject,
  type Json,
  type JsonObject,
  type LedgerMessage,
  type LedgerTopic,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { signerOf } from '../common/document-kind.js';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { contextOf } from '../schemas/index.js';

const state = z.object({ target: z.string() });

export const messagesReportBlock = defineBlock({
  type: 'messagesReportBlock',
  title: 'Report of messages',
  description: 'Shows every ledger message that a document goes back to, with its topic, author and document.',
  kind: 'interface',
  children: 'any',
  pure: true,
  input: z.object({
    /** Hash of a document, or the id of a message; null and an empty text clear the choice. */
    filterValue: z.string().trim().max(200).nullish(),
  }),
  /** `{target, report, status}`; without them until a message is chosen. `FAILED`: the policy's book has no such message. */
  async read(ctx) {
    const target = (await ctx.state.get(state))?.target ?? '';
    if (target === '') return heading(ctx);
    const chain = await messagesBehind(ctx, target);
    if (chain === undefined) return { ...heading(ctx), target, report: null, status: 'FAILED' };
    return { ...heading(ctx), target, report: await reportOf(ctx, chain), status: 'FINISHED' };
  },
  /** Returns whether a message is selected now. */
  async receive(ctx, { filterValue }) {
    const target = await messageOf(ctx, filterValue ?? '');
    await ctx.state.set({ target });
    return target !== '';
  },
});

/** A document is found by its hash, a presentation before a credential; any other value is taken as the id of a message. */
async function messageOf(ctx: ReadContext, value: string): Promise<string> {
  if (value === '') return '';
  const documents = await ctx.documents.find({ path: 'hash', op: 'eq', value });
  const published = documents.filter(({ messageId }) => typeof messageId === 'string' && messageId !== '');
  const document = published.find(({ dataType }) => dataType === 'vp-documents') ?? published[0];
  return document?.messageId ?? value;
}

/** `{topics, schemas, tokens, roles, users}`; `truncated: true` where messages were left out. */
async function reportOf(ctx: ReadContext, chain: MessageChain): Promise<JsonObject> {
  const messages: JsonObject[] = [];
  for (const [order, message] of chain.messages.entries()) messages.push(await shown(ctx, chain, message, order));
  return {
    topics: await topicsOf(ctx, messages),
    schemas: await schemasOf(ctx, messages),
    tokens: await tokensOf(ctx, messages),
    roles: messages.filter(({ type }) => type === 'Role-Document').map(roleOf),
    users: await usersOf(ctx, chain),
    ...(chain.truncated && { truncated: true }),
  };
}

/** Type names used by clients of the reference engine; other types keep their name. */
const messageTypes: Readonly<Record<string, string>> = {
  'vc-document': 'VC-Document',
  'vp-document': 'VP-Document',
  'did-document': 'DID-Document',
  'role-document': 'Role-Document',
  policy: 'Instance-Policy',
  token: 'Token',
};

async function shown(
  ctx: ReadContext,
  { documents }: MessageChain,
  message: LedgerMessage,
  order: number,
): Promise<JsonObject> {
  const { id, topicId, type, owner, hash, relationships, memo } = message;
  const row = documents.get(id);
  const document = row?.document ?? documentIn(message);
  return {
    id,
    topicId,
    order,
    type: messageTypes[type] ?? type,
    owner,
    payer: await ctx.users.account(owner),
    issuer: (document && signerOf(document)) ?? owner,
    username: await ctx.users.nameOf(owner),
    hash,
    memo,
    relationships,
    documentStatus: textOr(row?.hederaStatus, 'ISSUE'),
    entityType: textOr(row?.type, null),
    schema: textOr(row?.schema, null),
    status: row?.option.status ?? null,
    document: document ?? null,
    ...(type === 'role-document' && document !== undefined && picked(subjectOf(document), ['role', 'groupName'])),
    ...(type === 'policy' && document !== undefined && picked(subjectOf(document), ['name', 'version', 'uuid'])),
  };
}

const textOr = <Fallback>(value: unknown, fallback: Fallback): string | Fallback =>
  typeof value === 'string' ? value : fallback;

/** Messages of roles, policies and identities carry their document. */
function documentIn({ type, body }: LedgerMessage): JsonObject | undefined {
  if (!isObject(body)) return undefined;
  if (type === 'role-document' || type === 'policy') return body;
  return type === 'did-document' && isObject(body.document) ? body.document : undefined;
}

const picked = (subject: JsonObject | undefined, members: readonly string[]): JsonObject =>
  Object.fromEntries(members.map((member) => [member, subject?.[member] ?? null]));

/** The policy's own topic, and below it the others that have messages in the report. */
async function topicsOf(ctx: ReadContext, messages: readonly JsonObject[]): Promise<Json[]> {
  const topics = await ctx.ledger.topics();
  const root = topics.find(({ name }) => name === 'root');
  const used = new Set(messages.map(({ topicId }) => topicId));
  const children = topics.filter((topic) => topic !== root && used.has(topic.id));
  const below = await Promise.all(
    children.map((topic) => shownTopic(ctx, topic, messages, { parent: root?.id ?? null, children: [] })),
  );
  if (root === undefined) return below;
  return [await shownTopic(ctx, root, messages, { parent: null, children: below })];
}

async function shownTopic(
  ctx: ReadContext,
  { id, name, owner, memo }: LedgerTopic,
  messages: readonly JsonObject[],
  place: { readonly parent: string | null; readonly children: Json[] },
): Promise<JsonObject> {
  const isRoot = place.parent === null && name === 'root';
  const { policy } = ctx;
  const topicOwner = owner === '' ? policy.owner : owner;
  return {
    topicId: id,
    ...place,
    message: {
      type: 'Topic',
      messageType: isRoot ? 'INSTANCE_POLICY_TOPIC' : 'DYNAMIC_TOPIC',
      name: isRoot ? policy.name : name,
      description: memo,
      owner: topicOwner,
      payer: await ctx.users.account(topicOwner),
      rationale: isRoot && policy.messageId !== '' ? policy.messageId : null,
    },
    messages: messages.filter(({ topicId }) => topicId === id),
  };
}

/** The schemas named by the documents. */
async function schemasOf(ctx: ReadContext, messages: readonly JsonObject[]): Promise<Json[]> {
  const named = new Set(messages.map(({ schema }) => schema));
  return (await ctx.definitions.schemas())
    .filter(({ id }) => named.has(id))
    .map((schema) => ({
      iri: schema.id,
      name: schema.name,
      version: schema.source.version ?? '',
      contextUrl: contextOf(schema),
      document: schema.document,
    }));
}

/** The tokens that were minted or retired. */
async function tokensOf(ctx: ReadContext, messages: readonly JsonObject[]): Promise<Json[]> {
  const ids = messages.flatMap(({ document }) => (isObject(document) ? credentialsIn(document).flatMap(tokenIn) : []));
  const tokens = await Promise.all([...new Set(ids)].map((id) => ctx.ledger.token(id)));
  return tokens
    .filter((token) => token !== undefined)
    .map(({ id, tokenName, tokenSymbol, tokenType, decimals }) => ({
      tokenId: id,
      name: tokenName,
      symbol: tokenSymbol,
      type: tokenType,
      decimals,
      memo: id,
    }));
}

function tokenIn(credential: JsonObject): string[] {
  const tokenId = subjectOf(credential)?.tokenId;
  return typeof tokenId === 'string' ? [tokenId] : [];
}

const roleOf = ({ document, ...message }: JsonObject): JsonObject => ({
  ...picked(message, ['id', 'role', 'payer', 'topicId']),
  group: message.groupName ?? null,
  did: isObject(document) ? (subjectOf(document)?.id ?? null) : null,
});

async function usersOf(ctx: ReadContext, { messages, documents }: MessageChain): Promise<Json[]> {
  const signers = [...documents.values()].map(({ document }) => signerOf(document)).filter((did) => did !== undefined);
  const dids = [...new Set([...messages.map(({ owner }) => owner), ...signers])];
  return Promise.all(
    dids.map(async (did) => ({ did, username: await ctx.users.nameOf(did), payer: await ctx.users.account(did) })),
  );
}

/** Maximum number of messages in a report. The most distant ones are omitted. */
export const MESSAGES_AT_MOST = 2_000;

interface MessageChain {
  /** Oldest first. */
  readonly messages: readonly LedgerMessage[];
  /** By message. */
  readonly documents: ReadonlyMap<string, DocumentRecord>;
  /** Some messages were omitted. */
  readonly truncated: boolean;
}

/** `undefined` if the policy's message log has no such message. One store query per level of distance. */
async function messagesBehind(ctx: ReadContext, messageId: string): Promise<MessageChain | undefined> {
  const ledgerMessages = new Map<string, LedgerMessage>();
  let wanted = [messageId];
  while (wanted.length > 0 && ledgerMessages.size < MESSAGES_AT_MOST) {
    const room = wanted.slice(0, MESSAGES_AT_MOST - ledgerMessages.size);
    const messages = await ctx.ledger.messages({ path: 'id', op: 'in', value: room });
    for (const message of messages) ledgerMessages.set(message.id, message);
    const next = new Set(messages.flatMap(({ relationships }) => relationships));
    wanted = [...wanted.slice(room.length), ...[...next].filter((id) => !ledgerMessages.has(id))];
  }
  if (!ledgerMessages.has(messageId)) return undefined;
  const messages = [...ledgerMessages.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { messages, documents: await documentsOf(ctx, [...ledgerMessages.keys()]), truncated: wanted.length > 0 };
}

async function documentsOf(ctx: ReadContext, messageIds: readonly string[]): Promise<Map<string, DocumentRecord>> {
  const documents = await ctx.documents.find({ path: 'messageId', op: 'in', value: [...messageIds] });
  return new Map(documents.flatMap((document) => (document.messageId ? [[document.messageId, document]] : [])));
}
