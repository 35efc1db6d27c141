/** `buttonBlock`: buttons on a row; each gives its document a configured value and sends it on (reference engine, section 7.10). */
import { valueAt, sameJson, isObject } from '@blockwork/core/block';
import type {
  Block,
  BlockNode,
  DocumentRecord,
  Finding,
  Json,
  JsonObject,
  ReadContext,
  RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { fieldTest, passes } from '../common/field-test.js';
import { columnsOpening } from '../common/grid-columns.js';
import { heading } from '../common/heading.js';
import { listOf, text } from '../common/option-schemas.js';
import { changedDocument } from './changed-document.js';
import { offeredRow } from './offered-row.js';

const button = z.looseObject({
  /** The name of the output, too. */
  tag: text,
  /** `selector`, or `selector-dialog`, which asks for a comment. */
  type: text,
  /** What the document must be like for the button to be there. */
  filters: listOf(fieldTest),
  field: text,
  value: z.json().nullish(),
  title: text,
  description: text,
});
type ConfiguredButton = z.infer<typeof button>;

const options = z.object({
  type: text,
  user: text,
  uiMetaData: z
    .looseObject({ buttons: listOf(button) })
    .nullish()
    .transform((value) => value ?? { buttons: [] }),
});
type Options = z.infer<typeof options>;

const pressed = z.object({
  /** A row as the client has it, of which only the id and a comment are believed; none for a button without a row. */
  document: z.json().optional(),
  tag: z.string(),
});
type Pressed = z.infer<typeof pressed>;

const LONGEST_COMMENT = 10_000;

export class Button implements Block<Options, Pressed> {
  readonly about = {
    type: 'buttonBlock',
    title: 'Buttons',
    description: 'Buttons on the rows of a grid: each gives the document a value, and sends it to other blocks.',
    kind: 'interface',
    children: 'none',
  } as const;
  readonly pure = true;
  readonly options = options;
  readonly input = pressed;

  outputs({ uiMetaData: { buttons } }: Options): string[] {
    return buttons.map(({ tag }) => tag).filter((tag) => tag !== '');
  }

  check(node: BlockNode, { uiMetaData: { buttons } }: Options): Finding[] {
    const finding = (at: number, member: string, message: string): Finding => {
      const { uuid: block, tag } = node;
      const path = `${node.path}/uiMetaData/buttons/${String(at)}/${member}`;
      return { severity: 'error', code: 'OPTIONS_INVALID', message, path, block, tag };
    };
    return buttons.flatMap(({ tag, type }, at) => [
      ...(tag === '' ? [finding(at, 'tag', `Button ${String(at)} of "${node.tag}" has no tag.`)] : []),
      ...(buttons.findIndex((other) => other.tag === tag) < at
        ? [finding(at, 'tag', `Two buttons of "${node.tag}" have the tag "${tag}".`)]
        : []),
      ...(type === 'selector' || type === 'selector-dialog'
        ? []
        : [finding(at, 'type', `Button "${tag}" of "${node.tag}" is neither a selector nor a selector-dialog.`)]),
    ]);
  }

  read(ctx: ReadContext<Options>): Promise<JsonObject> {
    const { type, user } = ctx.options;
    const { did } = ctx.user;
    return Promise.resolve({
      ...heading(ctx),
      type,
      uiMetaData: ctx.block.uiMetaData,
      user,
      userId: did,
      userDid: did,
    });
  }

  async receive(ctx: RunContext<Options, string>, { tag, document: posted = null }: Pressed): Promise<void> {
    const chosen = ctx.options.uiMetaData.buttons.find((each) => each.tag === tag && tag !== '');
    if (chosen === undefined) {
      return ctx.fail('INPUT_INVALID', {
        facts: { reason: `Block "${ctx.block.tag}" has no button "${tag}".` },
        details: [{ path: '/tag', message: 'is no button of this block' }],
      });
    }
    // A button that grids open from their rows is nothing without one.
    const isOfRows = columnsOpening(ctx).length > 0;
    const document = posted === null && !isOfRows ? null : await offeredRow(ctx, posted);
    demandFilters(ctx, chosen, document);
    if (document === null) {
      ctx.emit(tag, null);
      return;
    }
    await demandFirstTime(ctx, chosen, document);
    const changed =
      chosen.field === '' ? document : await changedDocument(ctx, document, chosen.field, chosen.value ?? null);
    ctx.emit(tag, commented(chosen, changed, posted));
  }
}

/** Clients hide the buttons that do not apply; pressing one all the same is refused. */
function demandFilters(
  ctx: RunContext<Options>,
  { tag, filters }: ConfiguredButton,
  document: DocumentRecord | null,
): void {
  const failed = filters.find((filter) => filter.field !== '' && !passes(document ?? {}, filter));
  if (failed === undefined) return;
  const reason = `Button "${tag}" of block "${ctx.block.tag}" is not for this document: "${failed.field}" is not as it has to be.`;
  ctx.fail('INPUT_INVALID', { facts: { reason } });
}

/** Pressed again while what it did still stands, a button would set everything behind it going a second time. */
async function demandFirstTime(
  ctx: RunContext<Options>,
  chosen: ConfiguredButton,
  document: DocumentRecord,
): Promise<void> {
  const { tag, field, value = null } = chosen;
  if (field === '') return;
  const id = `${document.id}/${tag}`;
  const stands = sameJson(valueAt(document, field), value);
  if (stands && (await ctx.entries.get(id)) !== undefined) {
    const reason = `Button "${tag}" of block "${ctx.block.tag}" was pressed for this document already.`;
    ctx.fail('INPUT_INVALID', { facts: { reason } });
  }
  await ctx.entries.put({ id, key: document.id, value: null });
}

/** A dialog's comment is the one thing that the user adds: the reason, for those who look at it later. */
function commented({ type }: ConfiguredButton, document: DocumentRecord, posted: Json): DocumentRecord {
  const comment = type === 'selector-dialog' ? commentIn(posted) : '';
  return comment === '' ? document : { ...document, comment, option: { ...document.option, comment } };
}

/** Clients write it into the row, or into its `option`; some keep a list, of which the last is theirs. */
function commentIn(posted: Json): string {
  if (!isObject(posted)) return '';
  const { option, comment } = posted;
  const given: unknown = (isObject(option) ? option.comment : undefined) ?? comment;
  const last: unknown = Array.isArray(given) ? given.at(-1) : given;
  return typeof last === 'string' ? last.slice(0, LONGEST_COMMENT) : '';
}
