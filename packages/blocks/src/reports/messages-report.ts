/** `messagesReportBlock`: a ledger message with all its transitive references, by topic. */
import { defineBlock, heading, type ReadContext } from '@blockwork/core/block';
import { z } from 'zod';
import { messagesBehind } from './messages-behind.js';
import { reportOf } from './report-of-messages.js';

const state = z.object({ target: z.string() });

export const messagesReportBlock = defineBlock({
  type: 'messagesReportBlock',
  title: 'Report of messages',
  description: 'Shows every ledger message that a document goes back to, with its topic, author and document.',
  kind: 'interface',
  children: 'any',
  pure: true,
  input: z.object({
    /** Hash of a document, or the id of a message; null and an empty text clear the choice. */
    filterValue: z.string().trim().max(200).nullish(),
  }),
  /** `{target, report, status}`; without them until a message is chosen. `FAILED`: the policy's book has no such message. */
  async read(ctx) {
    const target = (await ctx.state.get(state))?.target ?? '';
    if (target === '') return heading(ctx);
    const chain = await messagesBehind(ctx, target);
    if (chain === undefined) return { ...heading(ctx), target, report: null, status: 'FAILED' };
    return { ...heading(ctx), target, report: await reportOf(ctx, chain), status: 'FINISHED' };
  },
  /** Returns whether a message is selected now. */
  async receive(ctx, { filterValue }) {
    const target = await messageOf(ctx, filterValue ?? '');
    await ctx.state.set({ target });
    return target !== '';
  },
});

/** A document is found by its hash, a presentation before a credential; any other value is taken as the id of a message. */
async function messageOf(ctx: ReadContext, value: string): Promise<string> {
  if (value === '') return '';
  const found = await ctx.documents.find({ path: 'hash', op: 'eq', value });
  const published = found.filter(({ messageId }) => typeof messageId === 'string' && messageId !== '');
  const document = published.find(({ dataType }) => dataType === 'vp-documents') ?? published[0];
  return document?.messageId ?? value;
}
