/** `requestVcDocumentBlock`: a form; submitted data becomes a credential of the user (reference engine, sections 4.6, 6.3, 7.6). */
import {
  asJson,
  type BlockNode,
  defineBlock,
  type DocumentInput,
  type DocumentRecord,
  documentRow,
  documentsIn,
  finding,
  type Finding,
  heading,
  isObject,
  type Json,
  type JsonObject,
  type ReadContext,
  REFRESH,
  RELEASE,
  RUN,
  type RunContext,
  tolerant,
} from '@blockwork/core/block';
import { z } from 'zod';
import { DRAFT, ownDraft } from './drafts.js';
import { filledInDocument, filledInDraft } from './fill-in.js';
import { formOptions, formReferences, shownForm } from './form-options.js';
import { firstOwnRow } from './own-row.js';
import { type Reference, referenceOf, refuseReference } from './reference.js';

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
      const draft = await filledInDraft(ctx, { posted, reference }, replaced);
      return asJson(await sendDraft(ctx, draft, reference));
    }
    const filledIn = await filledInDocument(ctx, { posted, reference, ...(before && { before }) });
    if ((await ctx.state.get(memory)) !== undefined) await ctx.state.set(null);
    if (replaced !== undefined) await ctx.documents.remove(replaced.id);
    if (before !== null) ctx.emit(REFERENCE, before);
    const sent = before === null ? filledIn : asNewVersion(filledIn, before);
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

/**
 * The document to edit: the user's own, or one that the form offers them; seeing it elsewhere is not enough. Fails with
 * `DOCUMENT_REFUSED` if it has already been replaced.
 */
async function versionedDocument(ctx: ReadContext, reference: Reference | null): Promise<DocumentRecord> {
  if (reference === null) return refuseReference(ctx);
  const { document } = reference;
  const isOwn = document.owner === ctx.user.did;
  if (!isOwn && (await ctx.offered(document.id)) === undefined) return refuseReference(ctx);
  if (document.edited !== true) return document;
  const why = 'a newer version has replaced it';
  return ctx.fail('DOCUMENT_REFUSED', {
    facts: { what: 'Outdated version', which: 'the document that is referred to', why },
  });
}

/** Keeps the owner of the previous version, regardless of the editor, and records the first version. */
function asNewVersion(filledIn: DocumentInput, before: DocumentRecord): DocumentInput {
  const { owner, group, assignedTo, assignedToGroup, startMessageId, messageId } = before;
  const start = startMessageId ?? messageId;
  return {
    ...filledIn,
    owner,
    ...(group !== undefined && { group }),
    ...(assignedTo !== undefined && { assignedTo }),
    ...(assignedToGroup !== undefined && { assignedToGroup }),
    ...(start !== undefined && start !== null && { startMessageId: start }),
  };
}

/** Passed along until a block stores the new version: the document that it replaces. */
const replacing = ({ id, schema }: DocumentRecord): Json => ({ replaces: { id, schema: schema ?? null } });

/** Blocks that change a document, or choose its way, and pass it on. */
const passing = new Set([
  'switchBlock',
  'customLogicBlock',
  'calculateContainerBlock',
  'mathBlock',
  'reassigningBlock',
  'setRelationshipsBlock',
  'documentValidatorBlock',
  'notificationBlock',
]);

/** A policy may have thousands of forms, each with thousands of blocks behind it. */
const MOST_LINKS = 2_000;

function unsavedFindings(form: BlockNode): Finding[] {
  const seen = new Set([form]);
  const open = [form];
  let links = 0;
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    for (const { target, input } of [...block.links.values()].flat()) {
      if (++links > MOST_LINKS) return [];
      if (input === 'RefreshEvent' || seen.has(target)) continue;
      const { definition, blockType } = target;
      // Interfaces keep nothing of a run; blocks of other types may do anything.
      if (!passing.has(blockType) && definition?.kind !== 'interface' && definition?.kind !== 'container') return [];
      seen.add(target);
      open.push(target);
    }
  }
  const message = `No block keeps the documents of the form "${form.tag}": nothing behind it stores or publishes them. Put a sendToGuardianBlock behind it.`;
  const behind = { kind: 'block', at: '', blockType: 'sendToGuardianBlock', place: 'after' } as const;
  return [finding(form, { severity: 'warning', code: 'DOCUMENT_UNSAVED', message, suggestions: [behind] })];
}
