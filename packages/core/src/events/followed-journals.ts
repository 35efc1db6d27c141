/**
 * The journals that are followed on other nodes, as far as these have said so lately: new entries in others are not rung for. Who follows
 * says so again and again, and looks for itself as often, so that what is not known here comes later and is not lost.
 */
import { lruCache } from '../lru-cache.js';
import type { Clock, Rung } from '../ports/index.js';

/** Followers say so at least this often, in milliseconds, and are believed for several times as long. */
export const FOLLOWING_MS = 1_000;
const BELIEVED_MS = 3 * FOLLOWING_MS;
const JOURNALS_AT_MOST = 10_000;
const PREFIX = 'following/';
/** Characters of names in one ring; with more, the doorbell would ring for everything, and have all nodes look at all that they do. */
const CHARACTERS_AT_MOST = 4_000;

/** What is rung for the journals that this node follows: each by its name, or `following/` where they are many. */
export function followingOf(policyIds: readonly string[]): string[] {
  const names = policyIds.map(nameOf);
  return names.reduce((sum, { length }) => sum + length, 0) > CHARACTERS_AT_MOST ? [PREFIX] : names;
}

const nameOf = (policyId: string): string => `${PREFIX}${policyId}`;

export class FollowedJournals {
  readonly #until = lruCache<number>(JOURNALS_AT_MOST);
  /** Until then, any journal may be followed. */
  #anyUntil = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Whether another node may follow the journal of a policy. */
  has(policyId: string): boolean {
    const now = this.clock.now();
    return now < this.#anyUntil || now < (this.#until.get(nameOf(policyId)) ?? -Infinity);
  }

  heard(rung: Rung): void {
    const until = this.clock.now() + BELIEVED_MS;
    if (rung === 'all' || rung.has(PREFIX)) this.#anyUntil = until;
    else for (const name of rung) if (name.startsWith(PREFIX)) this.#until.set(name, until);
  }
}
