/** How filters and the blocks they narrow find each other. */
import type { BlockNode } from '../policy/index.js';
import type { Condition } from '../records/index.js';
import type { BlockHandle } from '../block-api/index.js';
import { permitted } from './permitted.js';

/** The filter blocks in a list. */
export const narrowings = (neighbours: readonly BlockHandle[]): BlockHandle[] =>
  neighbours.filter((neighbour) => neighbour.kind === 'filter');

/** The conditions of filters open to the user; a filter that is not open imposes none. */
export const conditionsOf = async (filters: readonly BlockHandle[]): Promise<Condition[]> =>
  demandsOf(await permitted(filters));

/** The conditions of filters already known to be open to the user. */
export async function demandsOf(open: readonly BlockHandle[]): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const filter of open) {
    const condition = await filter.narrow();
    if (condition !== undefined) conditions.push(condition);
  }
  return conditions;
}

/** A grid child's filters: itself, or those of a source. */
export const filtersOfChild = (child: BlockNode): BlockNode[] => {
  if (isFilter(child)) return [child];
  return child.definition?.kind === 'source' ? child.children.filter(isFilter) : [];
};

/** All filters that narrow a grid: its own and those of its sources. */
export const filtersOfGrid = (grid: BlockNode): BlockNode[] => grid.children.flatMap(filtersOfChild);

/** The query's value for a filter, by tag or uuid. */
export function queryValueFor(query: Readonly<Record<string, string>>, filter: BlockNode): string | undefined {
  if (Object.hasOwn(query, filter.tag)) return query[filter.tag];
  return Object.hasOwn(query, filter.uuid) ? query[filter.uuid] : undefined;
}

const isFilter = ({ definition }: BlockNode): boolean => definition?.kind === 'filter';
