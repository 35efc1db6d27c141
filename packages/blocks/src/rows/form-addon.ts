/** `requestVcDocumentBlockAddon`: a form on each row of the grid that it is attached to. */
import { asJson, defineBlock, finding, heading, isObject, tolerant, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';
import { filledInDocument } from '../forms/fill-in.js';
import { formOptions, formReferences, shownForm } from '../forms/form-options.js';
import { gridRow, sendFromGrid } from './grid-row.js';

const { flag, text } = tolerant;

const EVIDENCE_AT_MOST = 100;

const options = formOptions.extend({
  /** Label of the button that opens the form. */
  buttonName: text,
  /** Whether users may add evidence. */
  enableAdditionalData: flag,
  /** Style class, for front ends. */
  buttonClass: text,
  /** Title of the form, for front ends. */
  dialogTitle: text,
  /** Text above the form, for front ends. */
  dialogDescription: text,
  /** Whether front ends hide the button once the policy is discontinued. */
  hideWhenDiscontinued: flag,
});

export const requestVcDocumentBlockAddon = defineBlock({
  type: 'requestVcDocumentBlockAddon',
  title: 'Row form',
  description:
    'A form on each row of a grid. The new document refers to the row, and the grid sends it along the output with the tag of the form.',
  kind: 'addon',
  children: ['addon'],
  parents: ['interfaceDocumentsSourceBlock'],
  pure: true,
  options,
  input: z.object({
    document: z.custom<JsonObject>(isObject, { message: 'must be an object: the fields of the form' }),
    /** The row: its id, or the row itself, of which only the id is used. */
    ref: z.union([z.string().min(1).max(200), z.looseObject({ id: z.string().min(1).max(200) })]),
    evidence: z
      .array(z.object({ dataType: z.string().max(200), data: z.json() }))
      .max(EVIDENCE_AT_MOST)
      .nullish(),
  }),
  references: formReferences,
  check(node, { schema }) {
    if (schema !== '') return [];
    return [
      finding(node, { message: `The form "${node.tag}" has no schema, so it accepts no data.`, path: '/schema' }),
    ];
  },
  async read(ctx) {
    const { buttonName, buttonClass, dialogTitle, dialogDescription, enableAdditionalData, hideWhenDiscontinued } =
      ctx.options;
    const texts = { buttonName, buttonClass, dialogTitle, dialogDescription };
    return {
      ...heading(ctx),
      ...(await shownForm(ctx)),
      ...texts,
      enableAdditionalData,
      hideWhenDiscontinued,
      uiMetaData: ctx.block.uiMetaData,
    };
  },
  /** Returns the new document. */
  async receive(ctx, { document: posted, ref, evidence }) {
    const document = await gridRow(ctx, typeof ref === 'string' ? ref : ref.id);
    const sources = evidence ?? [];
    if (sources.length > 0 && !ctx.options.enableAdditionalData) {
      ctx.fail('INPUT_INVALID', {
        facts: { reason: `Block "${ctx.block.tag}" does not accept evidence.` },
        details: [{ path: '/evidence', message: 'is not asked for' }],
      });
    }
    const reference = { document, open: true };
    const filledIn = await filledInDocument(ctx, {
      posted,
      reference,
      ...(sources.length > 0 && { evidence: sources }),
    });
    sendFromGrid(ctx, filledIn);
    return asJson(filledIn);
  },
});
