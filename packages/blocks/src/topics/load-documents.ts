/** Polls the new messages of a user's topic and creates records of the user's own documents. */
import {
  isBlockworkError,
  isoNow,
  type DocumentInput,
  type DocumentRecord,
  type RunContext,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { askValidators } from '../forms/child-validators.js';
import { tiesOf } from '../forms/new-document.js';
import { firstOwnRow } from '../forms/own-row.js';
import { demandValid, schemaOf } from '../schemas/index.js';
import type { TopicOptions } from './topic-operations.js';
import { keepTopicState, topicStateOf } from './topic-state.js';

type Context = RunContext<TopicOptions>;

/** Maximum number of messages per run. The next run continues after them. */
export const MESSAGES_AT_MOST = 200;

/** Skips documents that are not imported, and logs the reason to the journal if they may concern the user. */
export async function loadDocuments(ctx: Context): Promise<DocumentInput[]> {
  const state = await topicStateOf(ctx);
  const range = { after: state.lastMessage, limit: MESSAGES_AT_MOST };
  const found = await ctx.ledger.externalMessages(state.documentTopicId, range);
  const taken: DocumentInput[] = [];
  for (const { message, document } of found) {
    await ctx.budget.giveWay();
    if (document === null || message.owner !== ctx.user.did || !names(document, state.schemaId)) continue;
    const made = await accepted(ctx, document);
    if (made !== undefined) taken.push(made);
  }
  const lastMessage = found.at(-1)?.message.id ?? state.lastMessage;
  await keepTopicState(ctx, { ...state, lastMessage, lastUpdate: isoNow(ctx.clock) });
  return taken;
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
    const made = credentialDocument(ctx, document, {
      ...{ owner, group, type: schema.id, schema: schema.id },
      ...ties,
      relationships: [...ties.relationships, messageId ?? ''].filter((id) => id !== ''),
    });
    await askValidators(ctx, { document: made, related: reference ?? null });
    return made;
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
