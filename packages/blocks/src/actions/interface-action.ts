/** `interfaceActionBlock`: one action on a row: choose an option, choose from a list, download (reference engine, section 7.11). */
import { isObject, REFRESH, valueAt } from '@blockwork/core/block';
import type {
  Block,
  BlockNode,
  Finding,
  Json,
  JsonObject,
  PolicyUser,
  ReadContext,
  RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { heading } from '../common/heading.js';
import { listOf, text } from '../common/option-schemas.js';
import { changedDocument } from './changed-document.js';
import { deviceConfiguration } from './device-configuration.js';
import { choicesOf } from './dropdown-choices.js';
import { offeredRow } from './offered-row.js';

/** An option of a selector; `tag` is the name of the output, too. */
const option = z.looseObject({ tag: text, name: text, value: z.json().nullish(), user: text });

const options = z.object({
  /** `selector`, `dropdown` or `download`; any other does nothing. */
  type: text,
  /** Where the choice is written in the document record. */
  field: text,
  /** Paths into the documents of a dropdown's own sources. */
  name: text,
  value: text,
  schema: text,
  targetUrl: text,
  user: text,
  uiMetaData: z
    .looseObject({ field: text, options: listOf(option) })
    .nullish()
    .transform((value) => value ?? { field: '', options: [] }),
});
type Options = z.infer<typeof options>;

/** A row as the client has it, of which the id is believed, and the choice if it is one that is offered. */
const row = z.custom<JsonObject>(isObject, { message: 'must be the row of a document' });

export class InterfaceAction implements Block<Options, JsonObject> {
  readonly about = {
    type: 'interfaceActionBlock',
    title: 'Action',
    description: 'An action on the rows of a grid: choose an option or from a list, or download a configuration.',
    kind: 'interface',
    children: ['source'],
    outputs: ['DropdownEvent', 'RefreshEvent'],
  } as const;
  readonly pure = true;
  readonly options = options;
  readonly input = row;

  outputs({ type, uiMetaData }: Options): string[] {
    return type === 'selector' ? uiMetaData.options.map(({ tag }) => tag).filter((tag) => tag !== '') : [];
  }

  check(node: BlockNode, given: Options): Finding[] {
    const missing = needed(given).filter((member) => given[member] === '');
    const { uuid: block, tag, path } = node;
    const kinds = ['selector', 'dropdown', 'download'];
    const finding = (member: string, message: string): Finding => {
      return { severity: 'error', code: 'OPTIONS_INVALID', message, path: `${path}/${member}`, block, tag };
    };
    return kinds.includes(given.type)
      ? missing.map((member) => finding(member, `The ${given.type} "${tag}" needs "${member}".`))
      : [finding('type', `"${tag}" has the type "${given.type}"; it must be one of ${kinds.join(', ')}.`)];
  }

  async read(ctx: ReadContext<Options>): Promise<JsonObject> {
    const { type, user, name, value } = ctx.options;
    const common = { ...heading(ctx), type, user, field: fieldOf(ctx.options), uiMetaData: ctx.block.uiMetaData };
    return type === 'dropdown' ? { ...common, name, value, options: await choicesOf(ctx, { name, value }) } : common;
  }

  async receive(ctx: RunContext<Options, string>, posted: JsonObject): Promise<Json | void> {
    switch (ctx.options.type) {
      case 'selector':
        return this.#select(ctx, posted);
      case 'dropdown':
        return this.#choose(ctx, posted);
      case 'download':
        return deviceConfiguration(ctx, await offeredRow(ctx, posted), ctx.options);
      default:
        return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `it has the type "${ctx.options.type}"` } });
    }
  }

  async #select(ctx: RunContext<Options, string>, posted: JsonObject): Promise<void> {
    const field = fieldOf(ctx.options);
    const choice = valueAt(posted, field);
    const chosen = ctx.options.uiMetaData.options.find(({ tag, value }) => tag !== '' && value === choice);
    if (chosen === undefined) return refuseChoice(ctx, field);
    const document = await offeredRow(ctx, posted);
    const changed = (await changedDocument(ctx, document, field, chosen.value ?? null)) as unknown as Json;
    send(ctx, chosen.tag, changed, chosen.user === 'current' ? ctx.user : await ctx.users.actor('owner', changed));
  }

  async #choose(ctx: RunContext<Options, string>, posted: JsonObject): Promise<void> {
    const { name, value } = ctx.options;
    const field = fieldOf(ctx.options);
    const choice = valueAt(posted, field);
    const chosen = (await choicesOf(ctx, { name, value })).find((offered) => offered.value === choice);
    if (chosen === undefined) return refuseChoice(ctx, field);
    const document = await offeredRow(ctx, posted);
    const changed = (await changedDocument(ctx, document, field, chosen.value)) as unknown as Json;
    send(ctx, 'DropdownEvent', changed, await ctx.users.actor('owner', changed));
  }
}

function send(ctx: RunContext<Options, string>, output: string, data: Json, user: PolicyUser): void {
  ctx.emit(output, data, { user });
  ctx.emit(REFRESH, data, { user });
}

/** Older policies write the field beside the options that it is for. */
const fieldOf = ({ field, uiMetaData }: Options): string => field || uiMetaData.field;

function needed({ type, uiMetaData }: Options): ('field' | 'name' | 'value' | 'schema' | 'targetUrl')[] {
  if (type === 'download') return ['schema', 'targetUrl'];
  const field = uiMetaData.field === '' ? (['field'] as const) : [];
  return type === 'dropdown' ? [...field, 'name', 'value'] : [...field];
}

const refuseChoice = (ctx: RunContext<Options>, field: string): never =>
  ctx.fail('INPUT_INVALID', {
    facts: { reason: `Block "${ctx.block.tag}" does not offer this choice for "${field}".` },
    details: [{ path: `/${field.replaceAll('.', '/')}`, message: 'is not one of the choices' }],
  });
