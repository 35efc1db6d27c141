/** Which of the blocks around a block may be offered to the user now. */
import type { Neighbour } from '../runtime/contract.js';

export async function permitted(neighbours: readonly Neighbour[]): Promise<Neighbour[]> {
  const decisions = await Promise.all(neighbours.map((neighbour) => neighbour.availability()));
  return neighbours.filter((_, at) => decisions[at]?.outcome === 'allowed');
}
