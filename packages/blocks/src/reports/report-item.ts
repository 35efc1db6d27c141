/** `reportItemBlock`: finds the documents of one link of a report's trust chain (reference engine, section 7.17). */
import {
  valueAt,
  type Block,
  type BlockNode,
  type DocumentRow,
  type Finding,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { flag, listOf, text } from '../common/option-schemas.js';
import { issuedBy } from './issuer.js';
import { conditionOf, filterTypes, reportFilter, valueTypes, type Variables } from './report-filter.js';

const options = z.object({
  icon: text,
  iconType: text,
  title: text,
  description: text,
  /** Shown unless the policy says otherwise. */
  visible: z
    .union([z.boolean(), z.string(), z.null()])
    .optional()
    .transform((value) => value !== false && value !== 'false'),
  /** Every document that meets the filters; otherwise the first one. */
  multiple: flag,
  filters: listOf(reportFilter),
  /** What later items, nested ones included, can compare with: values at paths of the documents found. */
  variables: listOf(z.object({ name: text, value: text })),
  /** For the client: which documents of the next item belong to the one that is looked at. */
  dynamicFilters: listOf(z.json()),
});
type Options = z.infer<typeof options>;

const question = z.object({ variables: z.record(z.string(), z.json()) });

const answer = z.object({ item: z.json(), variables: z.record(z.string(), z.json()) });

export class ReportItem implements Block<Options> {
  readonly about = {
    type: 'reportItemBlock',
    title: 'Report item',
    description: 'Finds the documents of one link of a trust chain.',
    kind: 'addon',
    children: ['addon'],
    parents: ['reportBlock', 'reportItemBlock'],
  } as const;
  readonly pure = true;
  readonly options = options;

  check(node: BlockNode, { filters }: Options): Finding[] {
    return filters.flatMap(({ type, typeValue }, at) => {
      const place = { path: `${node.path}/filters/${String(at)}`, block: node.uuid, tag: node.tag };
      const wrong = !filterTypes.includes(type) ? type : !valueTypes.includes(typeValue) ? typeValue : undefined;
      if (wrong === undefined) return [];
      const message = `Filter ${String(at)} of "${node.tag}" says "${wrong}", which is unknown; the item stays empty.`;
      return [{ severity: 'error', code: 'OPTIONS_INVALID', message, ...place } as const];
    });
  }

  async answer(ctx: ReadContext<Options>, asked: Json): Promise<Json> {
    const { variables } = question.parse(asked);
    const { multiple, filters } = ctx.options;
    const where = conditionOf(filters, variables);
    const range = multiple ? {} : { limit: 1 };
    const rows = await ctx.documents.rows({ sources: [{ tag: ctx.block.tag, where }] }, range);
    const nested = await itemsOf(ctx, { ...variables, ...found(ctx.options, rows) });
    return { item: { ...(await shown(ctx, rows)), documents: nested.items }, variables: nested.variables };
  }
}

/** The items under a block, one after the other, each knowing what those before it found. */
export async function itemsOf(
  ctx: ReadContext,
  variables: Variables,
): Promise<{ items: Json[]; variables: Record<string, Json> }> {
  const items: Json[] = [];
  let known: Record<string, Json> = { ...variables };
  for (const child of ctx.children) {
    if (child.kind === 'unknown' || (await child.availability()).outcome === 'forbidden') continue;
    const said = await child.answer({ variables: known });
    if (said === undefined) continue;
    const { item, variables: after } = answer.parse(said);
    items.push(item);
    known = after;
  }
  return { items, variables: known };
}

/** A path that leads nowhere leaves its variable as it was. */
function found({ variables, multiple }: Options, rows: readonly DocumentRow[]): Record<string, Json> {
  const values = (path: string): Json[] =>
    rows.map((row) => valueAt(row, path) as Json | undefined).filter((value) => value !== undefined);
  return Object.fromEntries(
    variables.flatMap(({ name, value: path }) => {
      const all = values(path);
      const [first] = all;
      return first === undefined ? [] : [[name, multiple ? all.flat() : first]];
    }),
  );
}

async function shown(ctx: ReadContext<Options>, rows: readonly DocumentRow[]): Promise<JsonObject> {
  const { icon, iconType, title, description, visible, multiple, dynamicFilters } = ctx.options;
  const about = {
    type: 'VC',
    icon,
    iconType,
    title,
    description,
    visible,
    multiple,
    dynamicFilters,
    tag: ctx.block.tag,
  };
  if (multiple) return { ...about, issuer: null, username: null, document: await Promise.all(rows.map(whole(ctx))) };
  const [row] = rows;
  return row === undefined
    ? { ...about, issuer: null, username: null, document: null }
    : { ...about, ...(await issuedBy(ctx, row.document)), document: row.document };
}

/** The stored document with who issued it: clients match its members with those of the next item. */
const whole =
  (ctx: ReadContext) =>
  async ({ __sourceTag__, ...row }: DocumentRow): Promise<Json> =>
    ({ ...row, ...(await issuedBy(ctx, row.document)) }) as unknown as Json;
