/** `interfaceActionBlock`: one action on a row: choose an option, choose from a list, download (reference engine, section 7.11). */
import {
  allOf,
  defineBlock,
  type DocumentRecord,
  heading,
  isObject,
  type Json,
  type JsonObject,
  type PolicyUser,
  type ReadContext,
  REFRESH,
  type RunContext,
  valueAt,
} from '@blockwork/core/block';
import { z } from 'zod';
import { ownSources } from '../common/own-sources.js';
import { subjectOf } from '../common/subject.js';
import { contextDocument, contextOf, schemaOf, typeOf } from '../schemas/index.js';
import { changedDocument } from './changed-document.js';
import {
  fieldOf,
  interfaceActionFindings,
  interfaceActionOptions,
  type InterfaceActionOptions,
  unchosenIn,
} from './interface-action-options.js';
import { offeredRow } from './offered-row.js';

type Context = RunContext<InterfaceActionOptions, string>;

export const interfaceActionBlock = defineBlock({
  type: 'interfaceActionBlock',
  title: 'Action',
  description: 'An action on the rows of a grid: choose an option, choose from a list, or download a configuration.',
  kind: 'interface',
  children: ['source'],
  pure: true,
  options: interfaceActionOptions,
  /** The client's copy of the row; only its id is used, and its choice if that is offered. */
  input: z.custom<JsonObject>(isObject, { message: 'must be the row of a document' }),
  outputs: ({ type, uiMetaData }) => [
    'DropdownEvent',
    ...(type === 'selector' ? uiMetaData.options.map(({ tag }) => tag).filter((tag) => tag !== '') : []),
  ],
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],
  check: interfaceActionFindings,
  awaits: unchosenIn,
  async read(ctx) {
    const { type, user, name, value } = ctx.options;
    const common = { ...heading(ctx), type, user, field: fieldOf(ctx.options), uiMetaData: ctx.block.uiMetaData };
    return type === 'dropdown' ? { ...common, name, value, options: await choicesOf(ctx, { name, value }) } : common;
  },
  async receive(ctx, posted) {
    switch (ctx.options.type) {
      case 'selector':
        return selectOption(ctx, posted);
      case 'dropdown':
        return chooseFromList(ctx, posted);
      case 'download':
        return deviceConfiguration(ctx, await offeredRow(ctx, posted), ctx.options);
      default:
        return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `it has the type "${ctx.options.type}"` } });
    }
  },
});

async function selectOption(ctx: Context, posted: JsonObject): Promise<void> {
  const field = fieldOf(ctx.options);
  const choice = valueAt(posted, field);
  const chosen = ctx.options.uiMetaData.options.find(({ tag, value }) => tag !== '' && value === choice);
  if (chosen === undefined) return refuseChoice(ctx, field, choice);
  const document = await offeredRow(ctx, posted);
  const changed = await changedDocument(ctx, document, field, chosen.value ?? null);
  send(ctx, chosen.tag, changed, chosen.user === 'current' ? ctx.user : await ctx.users.actor('owner', changed));
}

async function chooseFromList(ctx: Context, posted: JsonObject): Promise<void> {
  const { name, value } = ctx.options;
  const field = fieldOf(ctx.options);
  const choice = valueAt(posted, field);
  const chosen = (await choicesOf(ctx, { name, value })).find((offered) => offered.value === choice);
  if (chosen === undefined) return refuseChoice(ctx, field, choice);
  const document = await offeredRow(ctx, posted);
  const changed = await changedDocument(ctx, document, field, chosen.value);
  send(ctx, 'DropdownEvent', changed, await ctx.users.actor('owner', changed));
}

function send(ctx: Context, output: string, document: DocumentRecord, user: PolicyUser): void {
  ctx.emit(output, document, { user });
  ctx.emit(REFRESH, document, { user });
}

const refuseChoice = (ctx: RunContext, field: string, choice: unknown): never =>
  ctx.fail('CHOICE_UNKNOWN', {
    facts: { field, choice: JSON.stringify(choice ?? null).slice(0, 100) },
    details: [{ path: `/${field.replaceAll('.', '/')}`, message: 'is not one of the choices' }],
  });

type Choice = Readonly<Record<'name' | 'value', Json>>;

const CHOICES_AT_MOST = 10_000;

/** Without repeated values; documents without a value are left out. */
async function choicesOf(ctx: ReadContext, paths: Record<'name' | 'value', string>): Promise<Choice[]> {
  const sources = await ownSources(ctx);
  const choices = new Map<unknown, Choice>();
  for (const row of await ctx.documents.rows({ sources }, { limit: CHOICES_AT_MOST })) {
    const value = valueAt(row, paths.value);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const name = valueAt(row, paths.name) as Json | undefined;
    if (!choices.has(value)) choices.set(value, { name: name ?? null, value });
  }
  return [...choices.values()];
}

/** For the device that the document describes. Keys never leave the engine, so a signing device brings its own. */
async function deviceConfiguration(
  ctx: RunContext,
  { owner, document, topicId }: DocumentRecord,
  { targetUrl, schema: iri }: { readonly targetUrl: string; readonly schema: string },
): Promise<JsonObject> {
  const schema = await schemaOf(ctx, iri);
  const did = subjectOf(document)?.id ?? null;
  const body = {
    url: targetUrl,
    topic: topicId ?? null,
    hederaAccountId: await ctx.users.account(owner),
    installer: owner,
    did,
    type: typeOf(iri),
    schema: contextDocument(schema.source.context),
    schemaDocument: schema.document,
    context: { type: typeOf(iri), '@context': [contextOf(schema)] },
    didDocument: typeof did === 'string' ? await identityDocument(ctx, did) : null,
    policyId: ctx.policy.id,
    policyTag: ctx.policy.policyTag,
    ref: did,
    note: 'The device signs with a key of its own: none is in this file.',
  };
  return { fileName: `${typeof did === 'string' ? did : (document.id as string)}.config.json`, body };
}

async function identityDocument(ctx: RunContext, did: string): Promise<Json> {
  const where = allOf(
    { path: 'document.id', op: 'eq', value: did },
    { path: 'dataType', op: 'eq', value: 'did-documents' },
  );
  const [row] = await ctx.documents.find(where, { limit: 1 });
  return row?.document ?? null;
}
