/** `setRelationshipsBlock`: relates documents to those of its sources (reference engine, section 7.26). */
import {
  defineBlock,
  documentsIn,
  isObject,
  RELEASE,
  RUN,
  shapedLike,
  tolerant,
  type DocumentInput,
  type DocumentRow,
  type DocumentSource,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';

const { flag } = tolerant;

const options = z.object({ includeAccounts: flag, includeTokens: flag, changeOwner: flag });
type Options = z.infer<typeof options>;

/** Maximum number of related documents. */
const SOURCES_AT_MOST = 10_000;

export const setRelationshipsBlock = defineBlock({
  type: 'setRelationshipsBlock',
  title: 'Set relationships',
  description:
    'Relates documents to those of its sources: copies messages, and optionally accounts, tokens and the owner.',
  kind: 'server',
  passesOn: true,
  children: ['source'],
  outputs: [RELEASE],
  options,
  on: {
    async RunEvent(ctx, { data, result }) {
      const rows = await sourceRows(ctx);
      const tied = documentsIn(data).map((document) => tie(ctx.options, document, rows));
      ctx.emit(RUN, shapedLike(tied, data), { result });
      ctx.emit(RELEASE);
    },
  },
});

/** The documents of the sources for the user of the event. Events are not subject to block permissions. */
async function sourceRows(ctx: RunContext<Options>): Promise<DocumentRow[]> {
  const sources: DocumentSource[] = [];
  for (const { kind, block } of ctx.children) {
    if (kind === 'source' && block.options !== null)
      sources.push(...((await ctx.blockHandle(block).select())?.sources ?? []));
  }
  return ctx.documents.rows({ sources }, { limit: SOURCES_AT_MOST });
}

/**
 * An account or token of a source document replaces the document's own, and the last source that has it wins. If the
 * owner changes, the new owner's account comes with them.
 */
function tie(options: Options, document: DocumentInput, rows: readonly DocumentRow[]): DocumentInput {
  const messages = rows.map(({ messageId }) => messageId).filter((id) => typeof id === 'string' && id !== '');
  const relationships = [...new Set([...(document.relationships ?? []), ...(messages as string[])])];
  const [first] = rows;
  const newOwner = options.changeOwner ? first : undefined;
  const account = newOwner === undefined ? undefined : objectOf(newOwner.accounts).default;
  return {
    ...document,
    relationships,
    ...(options.includeAccounts && {
      accounts: { ...merged('accounts', document, ...rows), ...(account !== undefined && { default: account }) },
    }),
    ...(options.includeTokens && { tokens: merged('tokens', document, ...rows) }),
    ...(newOwner !== undefined && { owner: newOwner.owner, group: newOwner.group ?? null }),
  };
}

const merged = (member: 'accounts' | 'tokens', ...documents: readonly DocumentInput[]): JsonObject =>
  Object.assign({}, ...documents.map((each) => objectOf(each[member]))) as JsonObject;

const objectOf = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {});
