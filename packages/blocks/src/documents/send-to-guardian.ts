/** `sendToGuardianBlock`: stores documents, or publishes them on the ledger (reference engine, sections 6.4 and 7.7). */
import {
  defineBlock,
  type DocumentCollection,
  type DocumentInput,
  type DocumentRecord,
  documentsIn,
  finding,
  hintAt,
  type Json,
  type JsonObject,
  meantBy,
  passOn,
  RELEASE,
  type RunContext,
  shapedLike,
  type Suggestion,
  tolerant,
  valueAt,
} from '@blockwork/core/block';
import { z } from 'zod';
import { kindOf, signerOf } from '../common/document-kind.js';
import { storeDocument } from './store-document.js';

type Destination =
  | { readonly to: 'store'; readonly collection: 'approve' | 'by kind' }
  | { readonly to: 'ledger' }
  /** To the ledger, unless already published, then to the store. */
  | { readonly to: 'both' };

/** All that `destinationOf` knows. */
const destinations = ['database', 'hedera', 'auto', 'approve', 'vc-documents', 'vp-documents', 'did-documents'];

/** A non-empty `dataType` takes precedence. `undefined` for an unknown word. */
function destinationOf({ dataType, dataSource }: Record<'dataType' | 'dataSource', string>): Destination | undefined {
  switch (dataType || dataSource) {
    case 'hedera':
      return { to: 'ledger' };
    case 'auto':
      return { to: 'both' };
    case 'approve':
      return { to: 'store', collection: 'approve' };
    case 'vc-documents':
    case 'vp-documents':
    case 'did-documents':
    case 'database':
      return { to: 'store', collection: 'by kind' };
    default:
      return undefined;
  }
}

const collections = {
  vc: 'vc-documents',
  vp: 'vp-documents',
  did: 'did-documents',
} as const satisfies Record<string, DocumentCollection>;

const written = z.looseObject({ name: tolerant.text, value: z.json().nullish() });

const options = z.object({
  dataSource: tolerant.listed(...destinations),
  dataType: tolerant.listed(...destinations),
  /** For the client only; the kind is derived from the document. */
  documentType: tolerant.listed('vc', 'vp', 'did', 'document'),
  topic: tolerant.text,
  topicOwner: tolerant.word('user', 'owner', 'issuer', 'root'),
  entityType: tolerant.text,
  /** Written into the document's `option`. Older policies write an object here, which is ignored. */
  options: z
    .union([z.array(written), z.unknown().transform((): z.infer<typeof written>[] => [])])
    .optional()
    .transform((entries = []) => entries.filter(({ name }) => name !== '')),
  memo: tolerant.text,
  /** Do not record status changes in the document's history. */
  skipSaveState: tolerant.flag,
});
type Options = z.infer<typeof options>;

export const sendToGuardianBlock = defineBlock({
  type: 'sendToGuardianBlock',
  title: 'Send',
  description: 'Stores documents, or publishes them on the ledger.',
  kind: 'server',
  passesOn: true,
  outputs: [RELEASE],
  options,
  references: (options) =>
    isPublished(options) && options.topic !== 'root' ? [{ to: 'topic', name: options.topic, path: '/topic' }] : [],

  check(node, options) {
    if (destinationOf(options) !== undefined) return [];
    const message = `"${node.tag}" sends to no place that is known: ${unknownDestination(options)}.`;
    // Policies may leave it unset in blocks that nothing reaches.
    const severity = options.dataType === '' && options.dataSource === '' ? 'warning' : 'error';
    const path = options.dataType === '' ? '/dataSource' : '/dataType';
    return [finding(node, { message, path, severity, suggestions: meantDestination(options) })];
  },

  on: {
    async RunEvent(ctx, { data, result, carried }) {
      const destination = destinationOf(ctx.options);
      if (destination === undefined) {
        return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: unknownDestination(ctx.options) } });
      }
      const documents = documentsIn(data);
      if (documents.length === 0 && !Array.isArray(data)) {
        ctx.fail('DOCUMENT_MISSING');
      }
      const sent: DocumentInput[] = [];
      const replaced = await replacedDocument(ctx, carried);
      for (const document of documents) {
        await ctx.budget.giveWay();
        sent.push(await send(ctx, marked(ctx, linked(document, replaced)), destination));
      }
      if (replaced !== undefined && destination.to !== 'ledger') await markReplaced(ctx, replaced);
      passOn(ctx, shapedLike(sent, data), ctx.user, result);
    },
  },
});

/** Whether documents go to the ledger, which requires a topic. */
const isPublished = (options: Options): boolean => {
  const to = destinationOf(options)?.to;
  return to === 'ledger' || to === 'both';
};

function marked(
  { block, options: { entityType, options: entries } }: RunContext<Options>,
  document: DocumentInput,
): DocumentInput {
  const option: JsonObject = Object.fromEntries(entries.map(({ name, value }) => [name, value ?? null]));
  return {
    ...document,
    tag: block.tag,
    ...(entityType !== '' && { type: entityType }),
    option: { ...document.option, ...option },
  };
}

async function send(
  ctx: RunContext<Options>,
  document: DocumentInput,
  destination: Destination,
): Promise<DocumentInput> {
  const collection = collections[kindOf(document.document)];
  const how = { inHistory: !ctx.options.skipSaveState };
  switch (destination.to) {
    case 'ledger':
      return publishDocument(ctx, document, ctx.options);
    case 'both': {
      const isThere = typeof document.messageId === 'string' && document.messageId !== '';
      return storeDocument(
        ctx,
        isThere ? document : await publishDocument(ctx, document, ctx.options),
        collection,
        how,
      );
    }
    case 'store':
      return destination.collection === 'approve'
        ? storeDocument(ctx, forApproval(ctx, document), 'approve', how)
        : storeDocument(ctx, document, collection, how);
  }
}

/** An approval is new until it is decided. */
const forApproval = ({ policy }: RunContext<Options>, document: DocumentInput): DocumentInput => ({
  ...document,
  approver: policy.owner,
  option: { status: 'NEW', ...document.option },
});

const unknownDestination = ({ dataType, dataSource }: Options): string =>
  dataType === '' && dataSource === ''
    ? 'neither dataSource nor dataType is set. Set dataSource to "database", or to "hedera" to publish them'
    : dataType === ''
      ? `dataSource "${dataSource}" is unknown${hintAt(meantBy(dataSource, destinations))}`
      : `dataType "${dataType}" is unknown${hintAt(meantBy(dataType, destinations))}`;

const usual = ['database', 'hedera'];

/** What was probably meant by the member that says where. */
function meantDestination({ dataType, dataSource }: Options): readonly Suggestion[] {
  const [member, written] = dataType === '' ? ['dataSource', dataSource] : ['dataType', dataType];
  const meant = written === '' ? undefined : meantBy(written, destinations);
  const values = written === '' ? usual : meant === undefined ? [] : [meant];
  return values.map((value) => ({ kind: 'value', at: `/${member}`, value }));
}

const carriedReplacement = z.object({ replaces: z.object({ id: z.string() }) });

async function replacedDocument(ctx: RunContext, carried: Json): Promise<DocumentRecord | undefined> {
  const parsed = carriedReplacement.safeParse(carried);
  return parsed.success ? ctx.documents.get(parsed.data.replaces.id) : undefined;
}

/** Only a document of the same schema is the next version. Others are separate documents. */
const linked = (document: DocumentInput, replaced: DocumentRecord | undefined): DocumentInput =>
  replaced === undefined || document.schema !== replaced.schema || document.hash === replaced.hash
    ? document
    : { ...document, previousVersion: replaced.id };

/** Marks it as replaced: sources that hide previous versions omit it, and it can no longer be edited. */
async function markReplaced(ctx: RunContext, { id }: DocumentRecord): Promise<void> {
  const now = await ctx.documents.get(id);
  if (now !== undefined && now.edited !== true) await ctx.documents.update({ ...now, edited: true });
}

interface Publishing {
  /** Name of one of the policy's topics; empty and `root` mean the policy's own topic. */
  readonly topic: string;
  /** `user`, `issuer`, `root` for the policy's owner; any other word means the document's owner. */
  readonly topicOwner: string;
  /** May contain `${path}` placeholders for values of the document. */
  readonly memo: string;
}

const LONGEST_MEMO = 500;

/** The document with its message. Does not store it. */
async function publishDocument(
  ctx: RunContext,
  document: DocumentInput,
  { topic, topicOwner, memo }: Publishing,
): Promise<DocumentInput> {
  const kind = kindOf(document.document);
  const { owner, relationships, hash = ctx.credentials.hash(document.document) } = document;
  const { id = null } = document.document;
  const message = await ctx.ledger.publish({
    topic: topicNamed(ctx, topic),
    topicOwner: ownerOfTopic(ctx, document, topicOwner),
    type: `${kind}-document`,
    owner,
    hash,
    ...(relationships !== undefined && { relationships }),
    ...(memo !== '' && { memo: filled(memo, document) }),
    body: { id, issuer: signerOf(document.document) ?? null, type: document.type ?? null },
    document: document.document,
  });
  const state = kind === 'did' ? { status: 'CREATE' } : { hederaStatus: 'ISSUE' };
  return { ...document, ...state, hash, messageId: message.id, topicId: message.topicId };
}

function topicNamed(ctx: RunContext, topic: string): string {
  if (topic === '' || topic === 'root') return 'root';
  if (ctx.policy.topics.some(({ name }) => name === topic)) return topic;
  return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the policy has no topic "${topic}"` } });
}

function ownerOfTopic(ctx: RunContext, { owner, document }: DocumentInput, whose: string): string {
  switch (whose) {
    case 'user':
      return ctx.user.did;
    case 'issuer':
      return signerOf(document) ?? owner;
    case 'root':
      return ctx.policy.owner;
    default:
      return owner;
  }
}

const filled = (memo: string, document: DocumentInput): string =>
  memo
    .replace(/\$\{([^{}]*)\}/g, (_, path: string) => {
      const value = valueAt(document, path.trim());
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
    })
    .slice(0, LONGEST_MEMO);
