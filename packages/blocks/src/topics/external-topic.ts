/** `externalTopicBlock`: imports documents that another policy published in one of its topics. */
import {
  defineBlock,
  type DocumentInput,
  type DocumentRecord,
  finding,
  heading,
  isBlockworkError,
  isoNow,
  passOn,
  RELEASE,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { Cron } from 'croner';
import { z } from 'zod';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { askValidators } from '../forms/child-validators.js';
import { tiesOf } from '../forms/new-document.js';
import { firstOwnRow } from '../forms/own-row.js';
import { demandValid, schemaOf } from '../schemas/index.js';
import { refuse, restart, setSchema, setTopic, type TopicOptions, verifySchemas } from './topic-operations.js';
import { followingUsers, keepTopicState, topicStateOf } from './topic-state.js';

const operations = [
  'SetTopic',
  'VerificationSchema',
  'VerificationSchemas',
  'SetSchema',
  'LoadDocuments',
  'Restart',
] as const;

const input = z.object({ operation: z.enum(operations), value: z.string().trim().max(500).nullish() });

/** Looks for new documents at midnight (UTC). */
const nightly = new Cron('0 0 * * *', { timezone: 'UTC', paused: true });

export const externalTopicBlock = defineBlock({
  type: 'externalTopicBlock',
  title: 'Documents of another policy',
  description: "Imports the user's documents that another policy published in one of its topics.",
  kind: 'interface',
  children: ['source', 'addon'],
  inputs: ['TimerEvent'],
  outputs: [RELEASE],
  pure: true,
  options: z.strictObject({ schema: tolerant.text }),
  input,
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],
  check: (node, { schema }) =>
    schema === ''
      ? [finding(node, { path: '/schema', message: `"${node.tag}" does not say of which schema its documents are.` })]
      : [],
  timetable: () => ({ next: (after) => nightly.nextRun(new Date(after))?.getTime() ?? null }),
  async read(ctx) {
    const { schemaId, schemas, ...state } = await topicStateOf(ctx);
    const schema = schemas.find(({ id }) => id === schemaId) ?? null;
    return { ...heading(ctx), ...state, schemas, schemaId, schema, active: true };
  },
  async receive(ctx, { operation, value = null }) {
    switch (operation) {
      case 'SetTopic':
        return setTopic(ctx, value ?? '');
      case 'VerificationSchema':
        return verifySchemas(ctx, value ?? '');
      case 'VerificationSchemas':
        return verifySchemas(ctx, null);
      case 'SetSchema':
        return setSchema(ctx, value ?? '');
      case 'Restart':
        return restart(ctx);
      case 'LoadDocuments':
        if ((await topicStateOf(ctx)).status !== 'FREE') refuse(ctx, 'a topic and a schema must be chosen first');
        return takeIn(ctx);
    }
  },
  on: {
    /** Each user's documents are imported on that user's behalf. */
    async TickEvent(ctx) {
      for (const key of await followingUsers(ctx)) {
        ctx.raise(ctx.block, 'TimerEvent', null, { user: await ctx.users.byKey(key) });
      }
    },
    async TimerEvent(ctx) {
      if ((await topicStateOf(ctx)).status === 'FREE') await takeIn(ctx);
    },
  },
});

/** Each document starts a separate run. */
async function takeIn(ctx: RunContext<TopicOptions, typeof RELEASE>): Promise<void> {
  const documents: DocumentInput[] = await loadDocuments(ctx);
  for (const document of documents) passOn(ctx, document);
}

type Context = RunContext<TopicOptions>;

/** Maximum number of messages per run. The next run continues after them. */
export const MESSAGES_AT_MOST = 200;

/** Skips documents that are not imported, and logs the reason to the journal if they may concern the user. */
async function loadDocuments(ctx: Context): Promise<DocumentInput[]> {
  const state = await topicStateOf(ctx);
  const range = { after: state.lastMessage, limit: MESSAGES_AT_MOST };
  const messages = await ctx.ledger.externalMessages(state.documentTopicId, range);
  const documents: DocumentInput[] = [];
  for (const { message, document } of messages) {
    await ctx.budget.giveWay();
    if (document === null || message.owner !== ctx.user.did || !names(document, state.schemaId)) continue;
    const credential = await accepted(ctx, document);
    if (credential !== undefined) documents.push(credential);
  }
  const lastMessage = messages.at(-1)?.message.id ?? state.lastMessage;
  await keepTopicState(ctx, { ...state, lastMessage, lastUpdate: isoNow(ctx.clock) });
  return documents;
}

/** Credentials name the context of their schema at the top, or in their subject. */
function names({ dataType, document }: DocumentRecord, schemaId: string): boolean {
  if (dataType !== 'vc-documents') return false;
  const contexts = [document['@context'], subjectOf(document)?.['@context']].flat();
  return contexts.includes(schemaId);
}

async function accepted(ctx: Context, { document, messageId }: DocumentRecord): Promise<DocumentInput | undefined> {
  try {
    const { verified, reason } = await ctx.credentials.verify(document);
    if (!verified) {
      skip(ctx, messageId, reason);
      return undefined;
    }
    const schema = await schemaOf(ctx, ctx.options.schema);
    const subject = subjectOf(document) ?? {};
    const { policyId: _policy, ref: _ref, ...fields } = subject;
    demandValid(ctx, schema, fields, '/document');
    const reference = await firstOwnRow(ctx);
    const ties = await tiesOf(ctx, schema.document, subject, reference);
    const { did: owner, group } = ctx.user;
    const credential = credentialDocument(ctx, document, {
      ...{ owner, group, type: schema.id, schema: schema.id },
      ...ties,
      relationships: [...ties.relationships, messageId ?? ''].filter((id) => id !== ''),
    });
    await askValidators(ctx, { document: credential, related: reference ?? null });
    return credential;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    skip(ctx, messageId, error.message);
    return undefined;
  }
}

const isRefusal = (error: unknown): error is Error =>
  isBlockworkError(error, 'INPUT_INVALID') || isBlockworkError(error, 'DOCUMENT_REFUSED');

function skip(ctx: Context, messageId: string | null | undefined, reason: string): void {
  ctx.warn(`A document of the topic was not taken in: ${reason}`, { messageId: messageId ?? null });
}
