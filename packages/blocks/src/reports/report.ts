/** `reportBlock`: the trust chain behind a presentation or a credential (reference engine, section 7.16). */
import type { Block, JsonObject, ReadContext, RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import { heading } from '../common/heading.js';
import { itemsOf } from './report-item.js';
import { reportSubject } from './report-subject.js';

const choice = z.object({
  /** Hash of the document; null and empty text choose none. */
  filterValue: z.string().trim().max(200).nullish(),
});

const state = z.object({ hash: z.string() });

export class Report implements Block<unknown, z.infer<typeof choice>> {
  readonly about = {
    type: 'reportBlock',
    title: 'Report',
    description: 'Shows how a mint, or any other document, came about: every document that it goes back to.',
    kind: 'interface',
    children: ['addon'],
  } as const;
  readonly pure = true;
  readonly options = z.object({});
  readonly input = choice;

  /** `hash`, or `filterValue` of the query counts for this answer only. Documents of other policies are never found. */
  async read(ctx: ReadContext): Promise<JsonObject> {
    const asked = ctx.query.hash ?? ctx.query.filterValue;
    const hash = (asked ?? (await ctx.state.get(state))?.hash ?? '').trim();
    const uiMetaData = ctx.block.uiMetaData;
    if (hash === '') return { ...heading(ctx), hash: null, uiMetaData, data: null };
    const subject = await reportSubject(ctx, hash);
    if (subject === undefined) return { ...heading(ctx), hash, uiMetaData, data: null };
    const { items } = await itemsOf(ctx, subject.variables);
    return { ...heading(ctx), hash, uiMetaData, data: { ...subject.data, documents: items } };
  }

  async receive(ctx: RunContext, { filterValue }: z.infer<typeof choice>): Promise<void> {
    await ctx.state.set({ hash: filterValue ?? '' });
  }
}
