/**
 * The journals followed on other nodes, as recently announced; only their new entries are notified. Followers renew the
 * announcement periodically and poll at the same interval, so a missed notification delays an event but never loses it.
 */
import { lruCache } from '../lru-cache.js';
import type { Clock, Rung } from '../ports/index.js';

/** Followers announce at least this often, in milliseconds; an announcement is valid for several times as long. */
export const FOLLOWING_MS = 1_000;
const ANNOUNCEMENT_MS = 3 * FOLLOWING_MS;
const JOURNALS_AT_MOST = 10_000;
const PREFIX = 'following/';
/**
 * Maximum characters of names in one notification; beyond it, the doorbell would notify about everything and every node
 * would check everything.
 */
const CHARACTERS_AT_MOST = 4_000;

/**
 * The doorbell keys that announce the journals followed by this node: one per journal, or `following/` if there are too
 * many.
 */
export function followingKeysOf(policyIds: readonly string[]): string[] {
  const names = policyIds.map(nameOf);
  return names.reduce((sum, { length }) => sum + length, 0) > CHARACTERS_AT_MOST ? [PREFIX] : names;
}

const nameOf = (policyId: string): string => `${PREFIX}${policyId}`;

export class FollowedJournals {
  readonly #until = lruCache<number>(JOURNALS_AT_MOST);
  /** Until this time, any journal may be followed. */
  #anyUntil = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Whether another node may be following the policy's journal. */
  has(policyId: string): boolean {
    const now = this.clock.now();
    return now < this.#anyUntil || now < (this.#until.get(nameOf(policyId)) ?? -Infinity);
  }

  /** Records the journals that another node announces. */
  onRing(rung: Rung): void {
    const until = this.clock.now() + ANNOUNCEMENT_MS;
    if (rung === 'all' || rung.has(PREFIX)) this.#anyUntil = until;
    else for (const name of rung) if (name.startsWith(PREFIX)) this.#until.set(name, until);
  }
}
