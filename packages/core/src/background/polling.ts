/** How often background work polls a store in which other processes leave work too. */
import type { Clock, PolicyStore } from '../ports/index.js';

/** With leases, polling is cheap, and finds what a dead node has left behind. */
const COORDINATED_MS = 2_000;
const UNCOORDINATED_MS = 60_000;

export type PolledStore = Pick<PolicyStore, 'capabilities' | 'coordination'>;

/** The time of the next poll; never for a store that belongs to this process alone. */
export function nextPoll({ capabilities, coordination }: PolledStore, clock: Clock): number {
  if (!capabilities.shared) return Infinity;
  return clock.now() + (coordination === undefined ? UNCOORDINATED_MS : COORDINATED_MS);
}

/** The earliest of these times; `null` if there is none. */
export function earliest(...moments: readonly (number | null)[]): number | null {
  const first = Math.min(...moments.map((moment) => moment ?? Infinity));
  return first === Infinity ? null : first;
}
