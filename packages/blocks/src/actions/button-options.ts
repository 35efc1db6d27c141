/** The options of `buttonBlock`, and the mistakes their authors make. */
import { finding, tolerant, type BlockNode, type Finding } from '@blockwork/core/block';
import { z } from 'zod';
import { fieldTest } from '../common/field-test.js';

const { flag, listOf, text } = tolerant;

const button = z.looseObject({
  /** Also the name of the output. */
  tag: text,
  /** `selector`, or `selector-dialog`, which asks for a comment. */
  type: text,
  /** The button is offered for documents that pass all of these. */
  filters: listOf(fieldTest),
  field: text,
  value: z.json().nullish(),
  title: text,
  description: text,
  /** Where the text of a dialog goes: a list, to which it is added. Default: `option.comment`. */
  dialogResultFieldPath: text,
});
export type ConfiguredButton = z.infer<typeof button>;

export const buttonOptions = z.object({
  type: text,
  user: text,
  uiMetaData: z
    .looseObject({
      buttons: listOf(button),
      /** Each button is offered for itself. Otherwise none is where the filters of one do not pass. */
      enableIndividualFilters: flag,
    })
    .nullish()
    .transform((value) => value ?? { buttons: [], enableIndividualFilters: false }),
});
export type ButtonOptions = z.infer<typeof buttonOptions>;

export const buttonFindings = (node: BlockNode, { uiMetaData: { buttons } }: ButtonOptions): Finding[] =>
  buttons.flatMap(({ tag, type }, at) => {
    const wrong = (member: string, message: string): Finding =>
      finding(node, { path: `/uiMetaData/buttons/${String(at)}/${member}`, message });
    return [
      ...(tag === '' ? [wrong('tag', `Button ${String(at)} of "${node.tag}" has no tag.`)] : []),
      ...(buttons.findIndex((other) => other.tag === tag) < at
        ? [wrong('tag', `Two buttons of "${node.tag}" have the tag "${tag}".`)]
        : []),
      ...(type === 'selector' || type === 'selector-dialog'
        ? []
        : [wrong('type', `Button "${tag}" of "${node.tag}" is neither a selector nor a selector-dialog.`)]),
    ];
  });
