/** `buttonBlock`: buttons on a row; each sets a configured value in its document and sends it on (reference engine, section 7.10). */
import {
  columnsOpening,
  defineBlock,
  type DocumentRecord,
  heading,
  isObject,
  type Json,
  type RunContext,
  sameJson,
  valueAt,
} from '@blockwork/core/block';
import { z } from 'zod';
import { passes } from '../common/field-test.js';
import {
  buttonFindings,
  buttonOptions,
  type ButtonOptions,
  type ConfiguredButton,
  undecidedBy,
} from './button-options.js';
import { changedDocument } from './changed-document.js';
import { offeredRow } from './offered-row.js';

export const buttonBlock = defineBlock({
  type: 'buttonBlock',
  title: 'Buttons',
  description: 'Buttons on the rows of a grid. Each sets a field of the document and sends it to other blocks.',
  kind: 'interface',
  children: 'none',
  pure: true,
  options: buttonOptions,
  input: z.object({
    /** The client's copy of the row; only its id and a comment are used. Absent for a button without a row. */
    document: z.json().optional(),
    tag: z.string(),
  }),
  outputs: ({ uiMetaData: { buttons } }) => buttons.map(({ tag }) => tag).filter((tag) => tag !== ''),
  check: buttonFindings,
  awaits: undecidedBy,
  shapes: ({ uiMetaData: { buttons } }) => ({
    takes: {
      type: 'object',
      properties: {
        tag: { enum: buttons.map(({ tag }) => tag).filter((tag) => tag !== '') },
        document: { type: ['object', 'null'], description: 'The row as read; only its id and a comment are used.' },
      },
      required: ['tag'],
    },
  }),
  read(ctx) {
    const { type, user } = ctx.options;
    const { did } = ctx.user;
    return { ...heading(ctx), type, uiMetaData: ctx.block.uiMetaData, user, userId: did, userDid: did };
  },
  async receive(ctx, { tag, document: posted = null }) {
    const button = configuredButton(ctx, tag);
    // A button that grids open from their rows needs a row.
    const isOfRows = columnsOpening(ctx).length > 0;
    const document = posted === null && !isOfRows ? null : await offeredRow(ctx, posted);
    assertFiltersPass(ctx, button, document);
    if (document === null) {
      ctx.emit(tag, null);
      return;
    }
    await assertFirstPress(ctx, button, document);
    const { field, value = null } = button;
    const changed = field === '' ? document : await changedDocument(ctx, document, field, value);
    ctx.emit(tag, await commented(ctx, button, changed, posted));
  },
});

function configuredButton(ctx: RunContext<ButtonOptions>, tag: string): ConfiguredButton {
  const button = ctx.options.uiMetaData.buttons.find((each) => each.tag === tag && tag !== '');
  if (button !== undefined) return button;
  return ctx.fail('BUTTON_UNKNOWN', {
    facts: { button: tag },
    details: [{ path: '/tag', message: 'is not a button of this block' }],
  });
}

/** Clients hide the buttons that do not apply, so a press of one is refused. */
function assertFiltersPass(
  ctx: RunContext<ButtonOptions>,
  button: ConfiguredButton,
  document: DocumentRecord | null,
): void {
  const { buttons, enableIndividualFilters } = ctx.options.uiMetaData;
  const filters = (enableIndividualFilters ? [button] : buttons).flatMap((each) => each.filters);
  const failed = filters.find((filter) => filter.field !== '' && !passes(document ?? {}, filter));
  if (failed === undefined) return;
  ctx.fail('BUTTON_NOT_OFFERED', { facts: { button: button.tag, field: failed.field } });
}

/** A second press while the effect of the first still stands would run everything behind the button twice. */
async function assertFirstPress(ctx: RunContext, button: ConfiguredButton, document: DocumentRecord): Promise<void> {
  const { tag, field, value = null } = button;
  if (field === '') return;
  const id = `${document.id}/${tag}`;
  const stands = sameJson(valueAt(document, field), value);
  if (stands && (await ctx.entries.get(id)) !== undefined) {
    ctx.fail('ALREADY_PRESSED', { facts: { documentId: document.id, button: tag } });
  }
  await ctx.entries.put({ id, key: document.id, value: null });
}

/** Users contribute only the text entered in the dialog. It is appended to earlier comments. */
async function commented(
  ctx: RunContext,
  { type, dialogResultFieldPath }: ConfiguredButton,
  document: DocumentRecord,
  posted: Json,
): Promise<DocumentRecord> {
  const path = dialogResultFieldPath || COMMENT;
  const entered = type === 'selector-dialog' ? enteredText(posted, path) : '';
  if (entered === '') return document;
  if (path === COMMENT) return withComment(document, entered);
  return changedDocument(ctx, document, path, withText(document, path, entered));
}

/** Clients put it into the row at its path, or as a comment; some as a list whose last element is the new one. */
function enteredText(posted: Json, path: string): string {
  if (!isObject(posted)) return '';
  const text = valueAt(posted, path) ?? valueAt(posted, COMMENT) ?? posted.comment;
  const last: unknown = Array.isArray(text) ? text.at(-1) : text;
  return typeof last === 'string' ? last.slice(0, LONGEST_COMMENT) : '';
}

/** In characters; longer comments are truncated. */
export const LONGEST_COMMENT = 10_000;

export const COMMENT = 'option.comment';

/** Appends a text to the list at the path. A plain text from an older document becomes the first element. */
function withText(document: DocumentRecord, path: string, entered: string): Json[] {
  const before = valueAt(document, path) as Json | undefined;
  return [...(Array.isArray(before) ? before : before === undefined || before === null ? [] : [before]), entered];
}

export const withComment = (document: DocumentRecord, entered: string): DocumentRecord => ({
  ...document,
  comment: entered,
  option: { ...document.option, comment: withText(document, COMMENT, entered) },
});
