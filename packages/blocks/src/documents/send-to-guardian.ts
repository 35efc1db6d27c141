/** `sendToGuardianBlock`: stores documents, or publishes them on the ledger (reference engine, sections 6.4 and 7.7). */
import type {
  Block,
  BlockEvent,
  BlockNode,
  DocumentInput,
  Finding,
  JsonObject,
  RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { kindOf } from '../common/document-kind.js';
import { asData, documentsIn, type EventDocument } from '../common/event-documents.js';
import { text } from '../common/option-schemas.js';
import { passOn } from '../common/standard-outputs.js';
import { collections, destinationOf, type Destination } from './destination.js';
import { publishDocument } from './publish-document.js';
import { storeDocument } from './store-document.js';

const written = z.looseObject({ name: text, value: z.json().nullish() });

const options = z.object({
  dataSource: text,
  dataType: text,
  /** For the client; a document is what it says of itself. */
  documentType: text,
  topic: text,
  topicOwner: text,
  entityType: text,
  /** Written into the document's `option`. Older policies write an object here, which means nothing to this block. */
  options: z
    .union([z.array(written), z.unknown().transform((): z.infer<typeof written>[] => [])])
    .optional()
    .transform((entries = []) => entries.filter(({ name }) => name !== '')),
  memo: text,
});
type Options = z.infer<typeof options>;

export class SendToGuardian implements Block<Options> {
  readonly about = {
    type: 'sendToGuardianBlock',
    title: 'Send',
    description: 'Stores documents, or publishes them on the ledger.',
    kind: 'server',
    children: 'none',
    outputs: ['RunEvent', 'ReleaseEvent', 'RefreshEvent'],
  } as const;
  readonly options = options;
  readonly on = {
    RunEvent: async (ctx: RunContext<Options>, { data, result }: BlockEvent): Promise<void> => {
      const destination = destinationOf(ctx.options);
      if (destination === undefined) {
        return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: unknownDestination(ctx.options) } });
      }
      const documents = documentsIn(data);
      if (documents.length === 0 && !Array.isArray(data)) {
        ctx.fail('INPUT_INVALID', { facts: { reason: `Block "${ctx.block.tag}" was given no document to send.` } });
      }
      const sent: DocumentInput[] = [];
      for (const document of documents) sent.push(await send(ctx, this.#marked(ctx, document), destination));
      passOn(ctx, asData(sent, data), ctx.user, result);
    },
  };

  check(node: BlockNode, given: Options): Finding[] {
    if (destinationOf(given) !== undefined) return [];
    const { uuid: block, tag, path } = node;
    const message = `"${tag}" sends to no place that is known: ${unknownDestination(given)}.`;
    const member = given.dataType === '' ? 'dataSource' : 'dataType';
    return [{ severity: 'error', code: 'OPTIONS_INVALID', message, path: `${path}/${member}`, block, tag }];
  }

  #marked(
    { block, options: { entityType, options: entries } }: RunContext<Options>,
    document: EventDocument,
  ): EventDocument {
    const option: JsonObject = Object.fromEntries(entries.map(({ name, value }) => [name, value ?? null]));
    return {
      ...document,
      tag: block.tag,
      ...(entityType !== '' && { type: entityType }),
      option: { ...document.option, ...option },
    };
  }
}

async function send(
  ctx: RunContext<Options>,
  document: EventDocument,
  destination: Destination,
): Promise<DocumentInput> {
  const collection = collections[kindOf(document.document)];
  switch (destination.to) {
    case 'ledger':
      return publishDocument(ctx, document, ctx.options);
    case 'both': {
      const isThere = typeof document.messageId === 'string' && document.messageId !== '';
      return storeDocument(ctx, isThere ? document : await publishDocument(ctx, document, ctx.options), collection);
    }
    case 'store':
      return destination.collection === 'approve'
        ? storeDocument(ctx, forApproval(ctx, document), 'approve')
        : storeDocument(ctx, document, collection);
  }
}

/** Until somebody decides, an approval is new. */
const forApproval = ({ policy }: RunContext<Options>, document: EventDocument): EventDocument => ({
  ...document,
  approver: policy.owner,
  option: { status: 'NEW', ...document.option },
});

const unknownDestination = ({ dataType, dataSource }: Options): string =>
  dataType === '' && dataSource === ''
    ? 'neither dataSource nor dataType is set'
    : dataType === ''
      ? `dataSource "${dataSource}" is unknown`
      : `dataType "${dataType}" is unknown`;
