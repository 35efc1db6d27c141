/** The options of `buttonBlock`, and their checks. */
import {
  allOf,
  closestTo,
  finding,
  tolerant,
  type BlockNode,
  type Condition,
  type Finding,
} from '@blockwork/core/block';
import { z } from 'zod';
import { conditionOf, fieldTest, undecided } from '../common/field-test.js';

const { flag, listOf, listed, text } = tolerant;

const button = z.looseObject({
  /** Also the name of the output. */
  tag: text,
  /** `selector`, or `selector-dialog`, which asks for a comment. */
  type: listed('selector', 'selector-dialog'),
  /** The button is offered for documents that pass all of these. */
  filters: listOf(fieldTest),
  field: text,
  value: z.json().nullish(),
  title: text,
  description: text,
  /** Path of the list to which the dialog's text is appended. Default: `option.comment`. */
  dialogResultFieldPath: text,
});
export type ConfiguredButton = z.infer<typeof button>;

export const buttonOptions = z.object({
  type: text,
  user: text,
  uiMetaData: z
    .looseObject({
      buttons: listOf(button),
      /** Each button's filters apply to that button alone. Otherwise one failing filter hides all buttons. */
      enableIndividualFilters: flag,
    })
    .nullish()
    .transform((value) => value ?? { buttons: [], enableIndividualFilters: false }),
});
export type ButtonOptions = z.infer<typeof buttonOptions>;

/** Members of documents that have members themselves. */
const settable = ['option', 'document'];

export const buttonFindings = (node: BlockNode, { uiMetaData: { buttons } }: ButtonOptions): Finding[] =>
  buttons.flatMap(({ tag, type, field }, at) => {
    const wrong = (member: string, message: string): Finding =>
      finding(node, { path: `/uiMetaData/buttons/${String(at)}/${member}`, message });
    const [first = '', ...rest] = field.split('.');
    const meant = settable.includes(first) ? undefined : closestTo(first, settable, 2);
    return [
      ...(meant === undefined || rest.length === 0
        ? []
        : [
            finding(node, {
              ...{ severity: 'warning', path: `/uiMetaData/buttons/${String(at)}/field` },
              message: `Button "${tag}" of "${node.tag}" sets ${field}, which nothing reads. Write "${[meant, ...rest].join('.')}".`,
              meant: [meant, ...rest].join('.'),
            }),
          ]),
      ...(tag === ''
        ? [
            wrong(
              'tag',
              `Button ${String(at)} of "${node.tag}" has no tag. Give it one: its tag is also the name of its output.`,
            ),
          ]
        : []),
      ...(buttons.findIndex((other) => other.tag === tag) < at
        ? [wrong('tag', `Two buttons of "${node.tag}" have the tag "${tag}". Rename one of them.`)]
        : []),
      ...(type === 'selector' || type === 'selector-dialog'
        ? []
        : [
            wrong(
              'type',
              `Button "${tag}" of "${node.tag}" has the type "${type}", which is neither "selector" nor "selector-dialog".`,
            ),
          ]),
    ];
  });

/** Selects undecided rows: at least one button applies, and none of the buttons' values is set. */
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
