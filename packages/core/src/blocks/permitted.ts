/** Filters blocks by whether they may be offered to the user now. */
import type { BlockHandle } from '../block-api/index.js';

export async function permitted(neighbours: readonly BlockHandle[]): Promise<BlockHandle[]> {
  const [first] = neighbours;
  if (first === undefined) return [];
  if (neighbours.length === 1) return (await first.availability()).outcome === 'allowed' ? [first] : [];
  const decisions = await Promise.all(neighbours.map((neighbour) => neighbour.availability()));
  return neighbours.filter((_, at) => decisions[at]?.outcome === 'allowed');
}
