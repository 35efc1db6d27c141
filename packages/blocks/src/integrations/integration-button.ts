/** `integrationButtonBlock`: asks a service about a row, and makes a credential of its answer. */
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
  /** What the button says. */
  buttonName: text,
  /** Whether front ends hide the button once the policy is discontinued. */
  hideWhenDiscontinued: flag,
  /** Whether an answer that was stored for the same request is used again, in place of a call. */
  getFromCache: flag,
  /** Of the service. */
  integrationType: text,
  /** Which request is made, as the program names it: `<type>_<method>`. */
  requestName: text,
  /** What is asked: `name: value`, and `path_name: path` for a value of the document. */
  requestParams: z
    .unknown()
    .optional()
    .transform((params) => (isObject(params) ? (params as JsonObject) : {})),
});
type Context = RunContext<z.infer<typeof options>, typeof RELEASE>;

/** Entity type of the answers. */
const INTEGRATION = 'INTEGRATION';

/** What the answers say of themselves. */
const SUBJECT_TYPE = 'INTEGRATION_DATA_V2';

/** Throws `OPTION_INVALID`. */
export function integrationButtonBlock(settings: IntegrationOptions = {}): BlockType {
  const integrations = new Integrations(settings);
  return defineBlock({
    type: 'integrationButtonBlock',
    title: 'Integration button',
    description: 'A button on the rows of a grid that asks a service about the row. The answer becomes a credential.',
    kind: 'interface',
    children: 'none',
    outputs: [RELEASE],
    options,
    input: z.object({
      /** A row as the client has it: only its id is used. */
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
    /** Answers with `{data, type}`. */
    async receive(ctx, { document }) {
      const row = await offeredRow(ctx, document);
      const params = paramsFor(ctx, row);
      const known = ctx.options.getFromCache ? await stored(ctx, params) : undefined;
      if (known !== undefined) {
        passOn(ctx, known);
        return answerIn(known);
      }
      const answer = await integrations.call(ctx, ctx.options.requestName, params);
      passOn(ctx, await answerDocument(ctx, row, params, answer));
      return { data: answer.data, type: answer.type };
    },
  });
}

/** A path that leads nowhere would ask for something else than the policy's author meant. */
function paramsFor(ctx: Context, row: DocumentRecord): JsonObject {
  const filled = Object.entries(ctx.options.requestParams).map(([name, value]): [string, Json] => {
    if (!name.startsWith('path_')) return [name, value];
    const path = typeof value === 'string' ? value : '';
    const found = valueAt(row, path);
    if (found !== undefined && found !== null) return [name.slice('path_'.length), found as Json];
    const reason = `The document "${row.id}" has no value at "${path}", which "${ctx.block.tag}" asks with.`;
    return ctx.fail('INPUT_INVALID', { facts: { reason } });
  });
  return Object.fromEntries(filled);
}

/** Under which an answer is found again. Its members are in the order of the policy. */
const requestKey = (ctx: Context, params: JsonObject): string => JSON.stringify([ctx.options.requestName, params]);

/** The latest one. */
async function stored(ctx: Context, params: JsonObject): Promise<DocumentRecord | undefined> {
  const [found] = await ctx.documents.find(
    {
      all: [
        { path: 'type', op: 'eq', value: INTEGRATION },
        { path: 'option.requestKey', op: 'eq', value: requestKey(ctx, params) },
      ],
    },
    { order: { path: 'createDate', direction: 'desc' }, limit: 1 },
  );
  return found;
}

function answerIn({ document }: DocumentRecord): JsonObject {
  const { data = null, parsedData, dataType = 'JSON' } = subjectOf(document) ?? {};
  return { data: parsedData ?? data, type: dataType };
}

/** Signed by the policy's owner; it belongs to whoever asked, and builds on the document of the row. */
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
