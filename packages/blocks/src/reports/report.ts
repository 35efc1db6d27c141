/** `reportBlock`: the trust chain behind a presentation or a credential (reference engine, section 7.16). */
import { defineBlock, heading } from '@blockwork/core/block';
import { z } from 'zod';
import { itemsOf } from './report-items.js';
import { reportSubject } from './report-subject.js';

const state = z.object({ hash: z.string() });

export const reportBlock = defineBlock({
  type: 'reportBlock',
  title: 'Report',
  description: 'Shows the provenance of a mint or any other document: every document that it goes back to.',
  kind: 'interface',
  children: ['addon'],
  pure: true,
  viewState: true,
  input: z.object({
    /** Hash of the document; null and an empty text clear the choice. */
    filterValue: z.string().trim().max(200).nullish(),
  }),
  /** `hash` or `filterValue` in the query applies to this answer only. Documents of other policies are never found. */
  async read(ctx) {
    const asked = ctx.query.hash ?? ctx.query.filterValue;
    const hash = (asked ?? (await ctx.state.get(state))?.hash ?? '').trim();
    const uiMetaData = ctx.block.uiMetaData;
    if (hash === '') return { ...heading(ctx), hash: null, uiMetaData, data: null };
    const subject = await reportSubject(ctx, hash);
    if (subject === undefined) return { ...heading(ctx), hash, uiMetaData, data: null };
    const { items } = await itemsOf(ctx, subject.variables);
    return { ...heading(ctx), hash, uiMetaData, data: { ...subject.data, documents: items } };
  },
  async receive(ctx, { filterValue }) {
    await ctx.state.set({ hash: filterValue ?? '' });
  },
});
