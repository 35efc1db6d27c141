/** `interfaceActionBlock`: one action on a row: choose an option, choose from a list, download (reference engine, section 7.11). */
import {
  defineBlock,
  heading,
  isObject,
  REFRESH,
  valueAt,
  type DocumentRecord,
  type JsonObject,
  type PolicyUser,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { changedDocument } from './changed-document.js';
import { deviceConfiguration } from './device-configuration.js';
import { choicesOf } from './dropdown-choices.js';
import {
  fieldOf,
  interfaceActionFindings,
  interfaceActionOptions,
  unchosenIn,
  type InterfaceActionOptions,
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
