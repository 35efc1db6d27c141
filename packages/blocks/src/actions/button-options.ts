/** The options of `buttonBlock`, and the mistakes their authors make. */
import { allOf, finding, tolerant, type BlockNode, type Condition, type Finding } from '@blockwork/core/block';
import { z } from 'zod';
import { conditionOf, fieldTest, undecided } from '../common/field-test.js';

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

/** The documents of rows that one of the buttons can still give a value, and that have none of the values that they give. */
export function undecidedBy({ uiMetaData: { buttons, enableIndividualFilters } }: ButtonOptions): Condition {
  const deciding = buttons.filter(({ field }) => field !== '');
  const any = deciding.map((button) => {
    const values = deciding.filter(({ field }) => field === button.field).map(({ value }) => value);
    const filters = (enableIndividualFilters ? [button] : buttons).flatMap((each) => each.filters);
    const offered = filters.filter(({ field }) => field !== '').map(conditionOf);
    return allOf(...offered, undecided(button.field, values));
  });
  return { any };
}
