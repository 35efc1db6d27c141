/** The protocol between a report and its items, which may have items of their own. */
import type { Json, ReadContext } from '@blockwork/core/block';
import { z } from 'zod';
import type { Variables } from './report-filter.js';

const variables = z.record(z.string(), z.json());

export const itemQuestion = z.object({ variables });

const itemAnswer = z.object({ item: z.json(), variables });
export type ItemAnswer = z.infer<typeof itemAnswer>;

/** The items below a block, in order. Each sees the variables of those before it. */
export async function itemsOf(
  ctx: ReadContext,
  variables: Variables,
): Promise<{ items: Json[]; variables: Record<string, Json> }> {
  const items: Json[] = [];
  let known: Record<string, Json> = { ...variables };
  for (const child of ctx.children) {
    if (child.kind === 'unknown' || (await child.availability()).outcome === 'forbidden') continue;
    const answered = await child.answer({ variables: known });
    if (answered === undefined) continue;
    const { item, variables: after } = itemAnswer.parse(answered);
    items.push(item);
    known = after;
  }
  return { items, variables: known };
}
