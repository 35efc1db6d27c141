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
 * Each account or token comes from the first source document that has it, consistent with the owner. The document's own
 * values are kept, except its owner's account when the owner changes.
 */
function tie(options: Options, document: DocumentInput, rows: readonly DocumentRow[]): DocumentInput {
  const messages = rows.map(({ messageId }) => messageId).filter((id) => typeof id === 'string' && id !== '');
  const relationships = [...new Set([...(document.relationships ?? []), ...(messages as string[])])];
  const [first] = rows;
  const newOwner = options.changeOwner ? first : undefined;
  return {
    ...document,
    relationships,
    ...(options.includeAccounts && { accounts: { ...given(rows, 'accounts'), ...own(document, newOwner) } }),
    ...(options.includeTokens && { tokens: { ...given(rows, 'tokens'), ...objectOf(document.tokens) } }),
    ...(newOwner !== undefined && { owner: newOwner.owner, group: newOwner.group ?? null }),
  };
}

const given = (rows: readonly DocumentRow[], member: 'accounts' | 'tokens'): JsonObject =>
  Object.assign({}, ...rows.toReversed().map((row) => objectOf(row[member]))) as JsonObject;

function own({ accounts }: DocumentInput, newOwner: DocumentRow | undefined): JsonObject {
  const { default: account, ...named } = objectOf(accounts);
  return newOwner !== undefined || account === undefined ? named : { ...named, default: account };
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {});
