/** `buttonBlockAddon`: a button on each row of the grid that it is attached to. */
import { defineBlock, heading, tolerant } from '@blockwork/core/block';
import { z } from 'zod';
import { changedDocument } from '../actions/changed-document.js';
import { COMMENT, LONGEST_COMMENT, withComment } from '../actions/button.js';
import { gridRow, sendFromGrid } from './grid-row.js';
import { needsNames } from './row-findings.js';

const { flag, text } = tolerant;

const options = z.object({
  /** Label of the button. */
  name: text,
  /** Style class, for front ends. */
  uiClass: text,
  /** Whether the button asks for a text. */
  dialog: flag,
  /** Whether front ends hide the button once the policy is discontinued. */
  hideWhenDiscontinued: flag,
  /** The title and text of the dialog, and the path in the document that the entered text goes to: a comment, by default. */
  dialogOptions: z
    .object({ dialogTitle: text, dialogDescription: text, dialogResultFieldPath: text })
    .nullish()
    .transform((dialog) => dialog ?? { dialogTitle: '', dialogDescription: '', dialogResultFieldPath: '' })
    .transform((dialog) => ({ ...dialog, dialogResultFieldPath: dialog.dialogResultFieldPath || COMMENT })),
});

export const buttonBlockAddon = defineBlock({
  type: 'buttonBlockAddon',
  title: 'Row button',
  description: 'A button on each row of a grid. The grid sends the row along the output with the tag of the button.',
  kind: 'addon',
  parents: ['interfaceDocumentsSourceBlock'],
  pure: true,
  options,
  input: z.object({
    documentId: z.string().min(1).max(200),
    /** What was entered in the dialog. */
    dialogResult: z.string().max(LONGEST_COMMENT).nullish(),
  }),
  check: (node, options) => needsNames(node, options, ['name']),
  read(ctx) {
    return { ...heading(ctx), ...ctx.options, uiMetaData: ctx.block.uiMetaData };
  },
  async receive(ctx, { documentId, dialogResult }) {
    const document = await gridRow(ctx, documentId);
    const { dialog, dialogOptions } = ctx.options;
    const path = dialogOptions.dialogResultFieldPath;
    const entered = dialog ? (dialogResult ?? '') : '';
    if (entered === '') sendFromGrid(ctx, document);
    else if (path === COMMENT) sendFromGrid(ctx, withComment(document, entered));
    else sendFromGrid(ctx, await changedDocument(ctx, document, path, entered));
  },
});
