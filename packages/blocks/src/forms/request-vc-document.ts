/** `requestVcDocumentBlock`: a form; what is filled in becomes a credential of the user (reference engine, sections 4.6, 6.3, 7.6). */
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

const REFERENCE = 'ReferenceEvent';

const options = formOptions.extend({
  /** `edit`: what is filled in is a new version of the document that it refers to. Otherwise it is a new document. */
  editType: tolerant.text,
});
type Context = RunContext<z.infer<typeof options>, typeof DRAFT | typeof REFERENCE>;

const filledIn = z.object({
  document: z.custom<JsonObject>(isObject, { message: 'must be an object: the fields of the form' }),
  /** The document that this one refers to: a subject's id, an object with an id, or a row. */
  ref: z.json().optional(),
  /** Whether the form is not finished yet: it is kept as it is. */
  draft: z.boolean().nullish(),
  /** The draft that this is the next state of. */
  draftId: z.string().max(200).nullish(),
});

const memory = z.object({ restoreData: z.json() });

export const requestVcDocumentBlock = defineBlock({
  type: 'requestVcDocumentBlock',
  title: 'Form',
  description: 'Asks for data by a schema, and makes a credential of it that the user signs.',
  kind: 'interface',
  children: ['source', 'addon'],
  inputs: ['RestoreEvent'],
  outputs: [RELEASE, DRAFT, REFERENCE],
  pure: true,
  options,
  input: filledIn,
  references: formReferences,

  check(node, { schema }) {
    if (schema !== '') return [];
    return [finding(node, { message: `The form "${node.tag}" has no schema; it takes nothing.`, path: '/schema' })];
  },

  shapes: ({ schema }) => ({
    takes: {
      type: 'object',
      properties: {
        document: { $ref: schema },
        ref: { description: 'The document that this one refers to: the id of its subject, or its row.' },
        draft: { type: ['boolean', 'null'], description: 'Keeps it as it is, unfinished.' },
        draftId: { type: ['string', 'null'], maxLength: 200, description: 'The draft that this is the next state of.' },
      },
      required: ['document'],
    },
  }),

  on: {
    /** The form opens with what is handed in, for this user. */
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

/** Where no link takes drafts there is nothing that would keep them, so they are refused. */
async function sendDraft(ctx: Context, draft: DocumentInput, reference: Reference | null): Promise<DocumentInput> {
  if ((ctx.block.links.get(DRAFT)?.length ?? 0) === 0) ctx.fail('DRAFT_UNSUPPORTED');
  if ((await ctx.state.get(memory)) !== undefined) await ctx.state.set(null);
  ctx.emit(DRAFT, draft);
  if (reference !== null) ctx.emit(REFERENCE, reference.document);
  ctx.emit(REFRESH, draft);
  return draft;
}
