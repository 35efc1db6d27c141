/** A subscription: pulls from the policies' journals, preserving each one's order. */
import type { Caller } from '../access/index.js';
import { Changes } from './changes.js';
import { cursorText, parseCursor } from './cursor.js';
import { Follower } from './follower.js';
import type { JournalTail } from './journal-tail.js';
import type { PolicyEvent } from './policy-event.js';

export interface SubscriptionDeps {
  readonly caller: Caller;
  /** Tails already joined. */
  readonly tails: readonly JournalTail[];
  readonly isSingle: boolean;
  readonly after: string | undefined;
  /** Maximum units a subscriber may lag behind in a policy. */
  readonly backlog: number;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** The events, beginning with `open`. Ends when the signal is aborted. */
export async function* subscription(deps: SubscriptionDeps): AsyncGenerator<PolicyEvent, void> {
  const { tails, isSingle, after, signal, caller, backlog } = deps;
  const policyIds = tails.map(({ policyId }) => policyId);
  const known = after === undefined ? null : parseCursor(after, policyIds, isSingle);
  const followers = tails.map(
    (tail) => new Follower({ tail, caller, backlog }, known?.get(tail.policyId) ?? tail.head),
  );
  const cursor = (): string => cursorText(followers, isSingle);
  const changes = new Changes(tails, signal);
  try {
    yield { type: 'open', id: cursor(), policyIds };
    const unnamed = known === null ? [] : policyIds.filter((policyId) => !known.has(policyId));
    for (const policyId of unnamed) yield { type: 'gap', id: cursor(), policyId };
    const isEnded = (): boolean => signal.aborted;
    while (!isEnded()) {
      const { count } = changes;
      let isCurrent = true;
      // Round-robin, so that a busy policy does not starve the others.
      for (const follower of followers) {
        const event = await follower.next();
        if (isEnded()) return;
        if (event === null) continue;
        isCurrent = false;
        yield event === 'gap' ? { type: 'gap', id: cursor(), policyId: follower.policyId } : { ...event, id: cursor() };
      }
      if (isCurrent) await changes.since(count);
    }
  } finally {
    changes.close();
  }
}
