/** `integrationButtonBlock`: calls a service for a row and turns its response into a credential. */
import {
  defineBlock,
  finding,
  heading,
  isObject,
  isoNow,
  passOn,
  RELEASE,
  tolerant,
  valueAt,
  type BlockType,
  type DocumentInput,
  type DocumentRecord,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { offeredRow } from '../actions/offered-row.js';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { Integrations, type Answered, type IntegrationOptions } from './integrations.js';

const { flag, text } = tolerant;

const options = z.object({
  /** Label of the button. */
  buttonName: text,
  /** Whether front ends hide the button once the policy is discontinued. */
  hideWhenDiscontinued: flag,
  /** Reuse a stored response to an identical request instead of calling again. */
  getFromCache: flag,
  /** Name of the service. */
  integrationType: text,
  /** Name of the request as registered by the program: `<type>_<method>`. */
  requestName: text,
  /** Parameters: `name: value`, or `path_name: path` for a value of the document. */
  requestParams: z
    .unknown()
    .optional()
    .transform((params) => (isObject(params) ? (params as JsonObject) : {})),
});
type Context = RunContext<z.infer<typeof options>, typeof RELEASE>;

/** Entity type of the responses. */
const INTEGRATION = 'INTEGRATION';

/** Members of the response documents. */
const SUBJECT_TYPE = 'INTEGRATION_DATA_V2';

/** Throws `OPTION_INVALID`. */
export function integrationButtonBlock(settings: IntegrationOptions = {}): BlockType {
  const integrations = new Integrations(settings);
  return defineBlock({
    type: 'integrationButtonBlock',
    title: 'Integration button',
    description: 'A button on the rows of a grid that calls a service for the row. The response becomes a credential.',
    kind: 'interface',
    children: 'none',
    outputs: [RELEASE],
    options,
    input: z.object({
      /** The client's copy of the row; only its id is used. */
      document: z.json(),
      tag: z.string().nullish(),
    }),
    check: (node, { requestName }) => {
      const path = '/requestName';
      if (requestName === '') return [finding(node, { path, message: `"${node.tag}" names no request.` })];
      if (integrations.allows(requestName)) return [];
      const message = `"${node.tag}" calls "${requestName}", which is refused: the program allows no such request.`;
      return [finding(node, { path, message, severity: 'warning' })];
    },
    read(ctx) {
      const { integrationType, requestName, buttonName, hideWhenDiscontinued } = ctx.options;
      const { uiMetaData } = ctx.block;
      return { ...heading(ctx), integrationType, requestName, buttonName, hideWhenDiscontinued, uiMetaData };
    },
    /** Returns `{data, type}`. */
    async receive(ctx, { document }) {
      const row = await offeredRow(ctx, document);
      const params = paramsFor(ctx, row);
      const cached = ctx.options.getFromCache ? await stored(ctx, params) : undefined;
      if (cached !== undefined) {
        passOn(ctx, cached);
        return answerIn(cached);
      }
      const answer = await integrations.call(ctx, ctx.options.requestName, params);
      passOn(ctx, await answerDocument(ctx, row, params, answer));
      return { data: answer.data, type: answer.type };
    },
  });
}

/** Fails on a path without a value, since the request would not be the one that the author meant. */
function paramsFor(ctx: Context, row: DocumentRecord): JsonObject {
  const filled = Object.entries(ctx.options.requestParams).map(([name, value]): [string, Json] => {
    if (!name.startsWith('path_')) return [name, value];
    const path = typeof value === 'string' ? value : '';
    const fieldValue = valueAt(row, path);
    if (fieldValue !== undefined && fieldValue !== null) return [name.slice('path_'.length), fieldValue as Json];
    const reason = `The document "${row.id}" has no value at "${path}", which "${ctx.block.tag}" asks with.`;
    return ctx.fail('INPUT_INVALID', { facts: { reason } });
  });
  return Object.fromEntries(filled);
}

/** Cache key of a response. Its members are in the order of the policy. */
const requestKey = (ctx: Context, params: JsonObject): string => JSON.stringify([ctx.options.requestName, params]);

/** The latest one. */
async function stored(ctx: Context, params: JsonObject): Promise<DocumentRecord | undefined> {
  const [document] = await ctx.documents.find(
    {
      all: [
        { path: 'type', op: 'eq', value: INTEGRATION },
        { path: 'option.requestKey', op: 'eq', value: requestKey(ctx, params) },
      ],
    },
    { order: { path: 'createDate', direction: 'desc' }, limit: 1 },
  );
  return document;
}

function answerIn({ document }: DocumentRecord): JsonObject {
  const { data = null, parsedData, dataType = 'JSON' } = subjectOf(document) ?? {};
  return { data: parsedData ?? data, type: dataType };
}

/** Signed by the policy's owner; it belongs to the user who pressed the button, and references the row's document. */
async function answerDocument(
  ctx: Context,
  { messageId }: DocumentRecord,
  params: JsonObject,
  { data, type }: Answered,
): Promise<DocumentInput> {
  const { did: owner, group } = ctx.user;
  const subject = {
    type: SUBJECT_TYPE,
    date: isoNow(ctx.clock),
    userId: owner,
    requestParams: params,
    dataType: type,
    data: typeof data === 'string' ? data : JSON.stringify(data),
    ...(typeof data !== 'string' && { parsedData: data }),
  };
  const credential = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject });
  const { requestName } = ctx.options;
  return credentialDocument(ctx, credential, {
    owner,
    group,
    type: INTEGRATION,
    option: { requestName, requestParams: params, requestKey: requestKey(ctx, params) },
    relationships: messageId == null ? [] : [messageId],
  });
}
