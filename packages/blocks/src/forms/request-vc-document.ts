/** `requestVcDocumentBlock`: a form; submitted data becomes a credential of the user (reference engine, sections 4.6, 6.3, 7.6). */
import {
  asJson,
  defineBlock,
  documentRow,
  documentsIn,
  finding,
  heading,
  isObject,
  REFRESH,
  RELEASE,
  RUN,
  tolerant,
  type DocumentInput,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { DRAFT, ownDraft } from './drafts.js';
import { filledInDocument, filledInDraft } from './fill-in.js';
import { formOptions, formReferences, shownForm } from './form-options.js';
import { asNewVersion, replacing, versionedDocument } from './new-version.js';
import { firstOwnRow } from './own-row.js';
import { referenceOf, type Reference } from './reference.js';
import { unsavedFindings } from './unsaved.js';

const REFERENCE = 'ReferenceEvent';

const options = formOptions.extend({
  /** `edit`: submitted data becomes a new version of the referenced document. Otherwise it becomes a new document. */
  editType: tolerant.word('new', 'edit'),
});
type Context = RunContext<z.infer<typeof options>, typeof DRAFT | typeof REFERENCE>;

const filledIn = z.object({
  document: z.custom<JsonObject>(isObject, { message: 'must be an object: the fields of the form' }),
  /** The referenced document: a subject's id, an object with an id, or a row. */
  ref: z.json().optional(),
  /** Save as a draft, without validation. */
  draft: z.boolean().nullish(),
  /** Id of the draft to replace. */
  draftId: z.string().max(200).nullish(),
});

const memory = z.object({ restoreData: z.json() });

export const requestVcDocumentBlock = defineBlock({
  type: 'requestVcDocumentBlock',
  title: 'Form',
  description: 'Collects data according to a schema and turns it into a credential signed by the user.',
  kind: 'interface',
  children: ['source', 'addon'],
  inputs: ['RestoreEvent'],
  outputs: [RELEASE, DRAFT, REFERENCE],
  pure: true,
  options,
  input: filledIn,
  references: formReferences,

  check(node, { schema }) {
    const message = `The form "${node.tag}" has no schema, so it accepts no data. Name one.`;
    return [...(schema === '' ? [finding(node, { message, path: '/schema' })] : []), ...unsavedFindings(node)];
  },

  shapes: ({ schema }) => ({
    takes: {
      type: 'object',
      properties: {
        document: { $ref: schema },
        ref: { description: 'The referenced document: the id of its subject, or its row.' },
        draft: { type: ['boolean', 'null'], description: 'Save as a draft, without validation.' },
        draftId: { type: ['string', 'null'], maxLength: 200, description: 'Id of the draft to replace.' },
      },
      required: ['document'],
    },
  }),

  on: {
    /** Opens the form for this user with the event's data. */
    async RestoreEvent(ctx, { data }) {
      await ctx.state.set({ restoreData: asJson(documentsIn(data)[0] ?? null) });
    },
  },

  async read(ctx) {
    const row = await firstOwnRow(ctx);
    return {
      ...heading(ctx),
      ...(await shownForm(ctx)),
      editType: ctx.options.editType,
      uiMetaData: ctx.block.uiMetaData,
      data: row === undefined ? null : asJson(documentRow(ctx, row)),
      restoreData: (await ctx.state.get(memory))?.restoreData ?? null,
      active: true,
    };
  },

  /** Answers with the new document. */
  async receive(ctx, { document: posted, ref, draft, draftId }) {
    const replaced = draftId == null || draftId === '' ? undefined : await ownDraft(ctx, draftId);
    const reference = await referenceOf(ctx, ref);
    const isEdit = ctx.options.editType === 'edit';
    const before = isEdit ? await versionedDocument(ctx, reference) : null;
    if (draft === true) {
      const made = await filledInDraft(ctx, { posted, reference }, replaced);
      return asJson(await sendDraft(ctx, made, reference));
    }
    const made = await filledInDocument(ctx, { posted, reference, ...(before && { before }) });
    if ((await ctx.state.get(memory)) !== undefined) await ctx.state.set(null);
    if (replaced !== undefined) await ctx.documents.remove(replaced.id);
    if (before !== null) ctx.emit(REFERENCE, before);
    const sent = before === null ? made : asNewVersion(made, before);
    const carried = before === null ? {} : { carried: replacing(before) };
    ctx.emit(RUN, sent, carried);
    ctx.emit(RELEASE, null, carried);
    ctx.emit(REFRESH, sent, carried);
    return asJson(sent);
  },
});

/** Drafts are rejected if no link leads to a block that stores them. */
async function sendDraft(ctx: Context, draft: DocumentInput, reference: Reference | null): Promise<DocumentInput> {
  if ((ctx.block.links.get(DRAFT)?.length ?? 0) === 0) ctx.fail('DRAFT_UNSUPPORTED');
  if ((await ctx.state.get(memory)) !== undefined) await ctx.state.set(null);
  ctx.emit(DRAFT, draft);
  if (reference !== null) ctx.emit(REFERENCE, reference.document);
  ctx.emit(REFRESH, draft);
  return draft;
}
