/**
 * Decides which node carries out the sends to a contended lane: all nodes reach the same answer without communicating.
 */
import { createHash } from 'node:crypto';
import { lruCache } from '../lru-cache.js';
import type { Lane } from './revision-keys.js';

/**
 * By rendezvous hashing: when a node joins or leaves, only the lanes of that node change hands. `null` without nodes.
 */
export function ownerOf(lane: Lane, nodes: readonly string[]): string | null {
  let owner: string | null = null;
  let highest = '';
  for (const node of nodes) {
    const weight = createHash('sha256')
      .update(JSON.stringify([node, lane]))
      .digest('hex');
    if (weight > highest) [owner, highest] = [node, weight];
  }
  return owner;
}

const LANES_AT_MOST = 1_000;

/** The owners of lanes, each computed once per list of nodes. */
export class LaneOwners {
  readonly #known = lruCache<{ readonly nodes: readonly string[]; readonly owner: string | null }>(LANES_AT_MOST);

  /** As `ownerOf`. `nodes` must not be mutated afterwards. */
  of(lane: Lane, nodes: readonly string[]): string | null {
    let known = this.#known.get(lane);
    if (known?.nodes !== nodes) this.#known.set(lane, (known = { nodes, owner: ownerOf(lane, nodes) }));
    return known.owner;
  }
}
