/** `transformationButtonBlock`: transforms a row for the front end to send elsewhere. */
import { asJson, defineBlock, finding, heading, tolerant, type BlockNode } from '@blockwork/core/block';
import { z } from 'zod';
import { offeredRow } from '../actions/offered-row.js';
import { GET_DATA } from './data-transformation-addon.js';

const { flag, text } = tolerant;

const options = z.object({
  type: text,
  user: text,
  /** Label of the button. */
  buttonName: text,
  /** Where the front end sends the result. The engine does not call it. */
  url: text,
  /** Whether front ends hide the button once the policy is discontinued. */
  hideWhenDiscontinued: flag,
});

export const transformationButtonBlock = defineBlock({
  type: 'transformationButtonBlock',
  title: 'Transformation button',
  description: 'A button on the rows of a grid that returns the row as transformed by the linked addon.',
  kind: 'interface',
  children: 'none',
  outputs: [GET_DATA],
  pure: true,
  options,
  input: z.object({
    /** The client's copy of the row; only its id is used. */
    document: z.json(),
    tag: z.string().nullish(),
  }),
  check: (node) =>
    transformationAt(node) === undefined
      ? [finding(node, { path: '/events', message: `No link leads from "${node.tag}" to a transformation.` })]
      : [],
  read(ctx) {
    return { ...heading(ctx), ...ctx.options, uiMetaData: ctx.block.uiMetaData };
  },
  /** Returns `{data, url}`. Read-only. */
  async receive(ctx, { document }) {
    const row = await offeredRow(ctx, document);
    const target = transformationAt(ctx.block);
    if (target === undefined) {
      return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: 'no link leads to a transformation' } });
    }
    const data = await ctx.blockHandle(target).answer({ row: asJson(row) });
    return { data: data ?? null, url: ctx.options.url };
  },
});

const transformationAt = ({ links }: BlockNode): BlockNode | undefined =>
  links.get(GET_DATA)?.find(({ target }) => target.blockType === 'dataTransformationAddon')?.target;
