/** The state fed by the event stream: the connection, and the last unit that touched each block. */
import type { PolicyEvent } from '@blockwork/client';

/** `paused`: the tab is hidden. `refused`: the server denies the stream. `ended`: the token is no longer accepted. */
export type Connection = 'connecting' | 'live' | 'lost' | 'paused' | 'refused' | 'ended';

/** The part of a unit of work that events reveal. */
export interface UnitFacts {
  readonly revision: number;
  readonly at: string;
  readonly cause: string;
}

export interface LastUnit extends UnitFacts {
  readonly tags: readonly string[];
}

interface PolicyActivity {
  readonly last: LastUnit;
  /** By tag. */
  readonly latestUnits: ReadonlyMap<string, UnitFacts>;
}

export interface Live {
  readonly connection: Connection;
  /** Why the stream was refused. */
  readonly reason: string;
  /** By policy. */
  readonly activity: ReadonlyMap<string, PolicyActivity>;
}

/** Maximum number of policies remembered; the page shows one at a time. */
const POLICIES = 20;

const nothing: Live = { connection: 'connecting', reason: '', activity: new Map() };

/** The state after an event. Units already seen are ignored. */
export function afterEvent(live: Live, event: PolicyEvent): Live {
  if (event.type !== 'unit') return live;
  const { policyId, revision, at, cause, tags } = event;
  const before = live.activity.get(policyId);
  if (before !== undefined && before.last.revision >= revision) return live;
  const latestUnits = new Map(before?.latestUnits);
  for (const tag of tags) latestUnits.set(tag, { revision, at, cause });
  const activity = new Map(live.activity);
  activity.delete(policyId);
  activity.set(policyId, { last: { revision, at, cause, tags }, latestUnits });
  for (const id of [...activity.keys()].slice(0, Math.max(0, activity.size - POLICIES))) activity.delete(id);
  return { ...live, activity };
}

export class LiveStore {
  #live = nothing;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): Live => this.#live;

  /** Whether events are unavailable, so that the page must poll. */
  get isOffline(): boolean {
    return this.#live.connection === 'lost' || this.#live.connection === 'refused';
  }

  receive(event: PolicyEvent): void {
    this.#set(afterEvent(this.#live, event));
  }

  connect(connection: Connection, reason = ''): void {
    this.#set({ ...this.#live, connection, reason });
  }

  /** Clears the activity when the active person changes. */
  clear(): void {
    this.#set({ ...this.#live, activity: nothing.activity });
  }

  #set(live: Live): void {
    if (live === this.#live) return;
    this.#live = live;
    for (const listener of this.#listeners) listener();
  }
}
