/** How filters and the blocks that they narrow find each other. */
import type { BlockNode } from '../policy/index.js';
import type { Condition } from '../records/index.js';
import type { BlockHandle } from '../block-api/index.js';
import { permitted } from './permitted.js';

/** The filters among some blocks. */
export const narrowings = (neighbours: readonly BlockHandle[]): BlockHandle[] =>
  neighbours.filter((neighbour) => neighbour.kind === 'filter');

/** What the filters demand that are open to the user; a filter that is switched off demands nothing. */
export const conditionsOf = async (filters: readonly BlockHandle[]): Promise<Condition[]> =>
  demandsOf(await permitted(filters));

/** The same of filters that are open to the user. */
export async function demandsOf(open: readonly BlockHandle[]): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const filter of open) {
    const condition = await filter.narrow();
    if (condition !== undefined) conditions.push(condition);
  }
  return conditions;
}

/** The filters that a child of a grid brings: itself, or those of a source. */
export const filtersOfChild = (child: BlockNode): BlockNode[] => {
  if (isFilter(child)) return [child];
  return child.definition?.kind === 'source' ? child.children.filter(isFilter) : [];
};

/** Every filter that narrows a grid: its own, and those of its sources. */
export const filtersOfGrid = (grid: BlockNode): BlockNode[] => grid.children.flatMap(filtersOfChild);

/** The value that a query gives a filter, by its tag or uuid. */
export function queryValueFor(query: Readonly<Record<string, string>>, filter: BlockNode): string | undefined {
  if (Object.hasOwn(query, filter.tag)) return query[filter.tag];
  return Object.hasOwn(query, filter.uuid) ? query[filter.uuid] : undefined;
}

const isFilter = ({ definition }: BlockNode): boolean => definition?.kind === 'filter';
