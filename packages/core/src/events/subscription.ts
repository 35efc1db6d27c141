/** A subscription: pulls from the policies' journals, preserving each one's order. */
import type { Caller } from '../access/index.js';
import { isBlockworkError } from '../errors.js';
import { type Clock, damagedRecordOf } from '../ports/index.js';
import { cursorText, parseCursor } from './cursor.js';
import { Follower } from './follower.js';
import type { JournalTail } from './journal-tail.js';
import type { PolicyEvent } from './policy-event.js';

export interface SubscriptionDeps {
  readonly caller: Caller;
  /** Tails already joined. */
  readonly tails: readonly JournalTail[];
  /** `one` policy, several that are `named`, or `all` that the caller may see. */
  readonly to: 'one' | 'named' | 'all';
  readonly after: string | undefined;
  /** Maximum units a subscriber may lag behind in a policy. */
  readonly backlog: number;
  readonly clock: Clock;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** A cursor names at most this many policies: those that moved last. */
const NAMED_AT_MOST = 100;
/**
 * An entry may be this much older than the moment of a cursor without being known to who wrote the cursor: the longest
 * run, and what the clocks of nodes may differ by.
 */
const MARGIN_MS = 5 * 60_000;

/**
 * The events, beginning with `open`. Ends when the signal is aborted. In a subscription to all policies, one that is
 * deleted or damaged drops out; otherwise the iteration throws `POLICY_UNKNOWN` or `STORE_UNAVAILABLE`.
 */
export async function* subscription(deps: SubscriptionDeps): AsyncGenerator<PolicyEvent, void> {
  const { tails, to, after, signal, caller, backlog, clock } = deps;
  const isSingle = to === 'one';
  const policyIds = tails.map(({ policyId }) => policyId);
  const cursorAt = after === undefined ? null : parseCursor(after, policyIds, isSingle);
  const start = ({ policyId, head }: JournalTail): string => cursorAt?.positions.get(policyId) ?? head;
  /** Those that moved last come last. */
  const followers = new Map(tails.map((tail) => [tail.policyId, new Follower({ tail, caller, backlog }, start(tail))]));
  for (const policyId of cursorAt?.positions.keys() ?? []) moveToEnd(followers, policyId);
  const cursor = (): string => {
    const all = [...followers.values()];
    return all.length <= NAMED_AT_MOST
      ? cursorText(all, isSingle)
      : cursorText(all.slice(-NAMED_AT_MOST), isSingle, clock.now());
  };
  const mayHaveMoved = ({ policyId, headAt }: JournalTail): boolean =>
    cursorAt !== null &&
    !cursorAt.positions.has(policyId) &&
    (cursorAt.at === null || (headAt !== null && headAt >= cursorAt.at - MARGIN_MS));
  const changes = new Changes(tails, signal);
  try {
    yield { type: 'open', id: cursor(), policyIds };
    for (const { policyId } of tails.filter(mayHaveMoved)) yield { type: 'gap', id: cursor(), policyId };
    const isEnded = (): boolean => signal.aborted;
    let unreadPolicies: ReadonlySet<string> = new Set(policyIds);
    while (!isEnded()) {
      const unread = new Set<string>();
      // One event of each in turn, so that a busy policy does not starve the others.
      for (const policyId of unreadPolicies) {
        const follower = followers.get(policyId);
        if (follower === undefined) continue;
        const event = await (to === 'all' ? nextOrGone(follower) : follower.next());
        if (isEnded()) return;
        if (event === 'gone') followers.delete(policyId);
        if (event === null || event === 'gone') continue;
        unread.add(policyId);
        moveToEnd(followers, policyId);
        yield event === 'gap' ? { type: 'gap', id: cursor(), policyId } : { ...event, id: cursor() };
      }
      unreadPolicies = unread.size > 0 ? new Set([...unread, ...changes.take()]) : await changes.next();
    }
  } finally {
    changes.close();
  }
}

/** `gone` if the policy has been deleted or cannot be read. */
async function nextOrGone(follower: Follower): Promise<Awaited<ReturnType<Follower['next']>> | 'gone'> {
  try {
    return await follower.next();
  } catch (error) {
    if (isBlockworkError(error, 'POLICY_UNKNOWN') || damagedRecordOf(error) !== null) return 'gone';
    throw error;
  }
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

class Changes {
  readonly #stop: readonly (() => void)[];
  #changed = new Set<string>();
  #wake: (() => void) | null = null;

  constructor(
    tails: readonly JournalTail[],
    private readonly signal: AbortSignal,
  ) {
    const wake = (): void => this.#wake?.();
    const watch = (tail: JournalTail): (() => void) =>
      tail.watch(() => {
        this.#changed.add(tail.policyId);
        wake();
      });
    signal.addEventListener('abort', wake, { once: true });
    this.#stop = [...tails.map(watch), () => signal.removeEventListener('abort', wake)];
  }

  /**
   * The policies whose journals have changed since the last call; resolves as soon as there is one, or the signal is
   * aborted.
   */
  async next(): Promise<ReadonlySet<string>> {
    if (this.#changed.size === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = null;
    }
    return this.take();
  }

  /** As `next`, without waiting. */
  take(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  close(): void {
    for (const stop of this.#stop) stop();
  }
}
