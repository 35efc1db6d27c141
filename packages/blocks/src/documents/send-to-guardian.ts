/** `sendToGuardianBlock`: stores documents, or publishes them on the ledger (reference engine, sections 6.4 and 7.7). */
import {
  defineBlock,
  didYouMean,
  documentsIn,
  finding,
  passOn,
  RELEASE,
  shapedLike,
  tolerant,
  type DocumentInput,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { kindOf } from '../common/document-kind.js';
import { collections, destinationOf, destinations, type Destination } from './destination.js';
import { publishDocument } from './publish-document.js';
import { linked, markReplaced, replacedDocument } from './replaced-document.js';
import { storeDocument } from './store-document.js';

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
  references: (given) =>
    isPublished(given) && given.topic !== 'root' ? [{ to: 'topic', name: given.topic, path: '/topic' }] : [],

  check(node, given) {
    if (destinationOf(given) !== undefined) return [];
    const message = `"${node.tag}" sends to no place that is known: ${unknownDestination(given)}.`;
    // Policies may leave it unset in blocks that nothing reaches.
    const severity = given.dataType === '' && given.dataSource === '' ? 'warning' : 'error';
    return [finding(node, { message, path: given.dataType === '' ? '/dataSource' : '/dataType', severity })];
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
const isPublished = (given: Options): boolean => {
  const to = destinationOf(given)?.to;
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
      ? `dataSource "${dataSource}" is unknown${didYouMean(dataSource, destinations)}`
      : `dataType "${dataType}" is unknown${didYouMean(dataType, destinations)}`;
