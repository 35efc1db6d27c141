/** The state fed by the event stream: the connection, and the last unit that touched each block. */
import type { PolicyEvent } from '@blockwork/client';

/** `paused`: the tab is hidden. `refused`: the server denies the stream. `ended`: the token is no longer accepted. */
export type Connection = 'connecting' | 'live' | 'lost' | 'paused' | 'refused' | 'ended';

/** The part of a unit of work that events reveal. */
export interface Touch {
  readonly revision: number;
  readonly at: string;
  readonly cause: string;
}

export interface LastUnit extends Touch {
  readonly tags: readonly string[];
}

interface PolicyMovement {
  readonly last: LastUnit;
  /** By tag. */
  readonly touches: ReadonlyMap<string, Touch>;
}

export interface Live {
  readonly connection: Connection;
  /** Why the stream was refused. */
  readonly reason: string;
  /** By policy. */
  readonly moved: ReadonlyMap<string, PolicyMovement>;
}

/** Maximum number of policies remembered; the page shows one at a time. */
const POLICIES = 20;

const nothing: Live = { connection: 'connecting', reason: '', moved: new Map() };

/** The state after an event. Units already seen are ignored. */
export function afterEvent(live: Live, event: PolicyEvent): Live {
  if (event.type !== 'unit') return live;
  const { policyId, revision, at, cause, tags } = event;
  const known = live.moved.get(policyId);
  if (known !== undefined && known.last.revision >= revision) return live;
  const touches = new Map(known?.touches);
  for (const tag of tags) touches.set(tag, { revision, at, cause });
  const moved = new Map(live.moved);
  moved.delete(policyId);
  moved.set(policyId, { last: { revision, at, cause, tags }, touches });
  for (const id of [...moved.keys()].slice(0, Math.max(0, moved.size - POLICIES))) moved.delete(id);
  return { ...live, moved };
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
  get isBlind(): boolean {
    return this.#live.connection === 'lost' || this.#live.connection === 'refused';
  }

  hear(event: PolicyEvent): void {
    this.#set(afterEvent(this.#live, event));
  }

  connect(connection: Connection, reason = ''): void {
    this.#set({ ...this.#live, connection, reason });
  }

  /** Clears the activity when the active person changes. */
  clear(): void {
    this.#set({ ...this.#live, moved: nothing.moved });
  }

  #set(live: Live): void {
    if (live === this.#live) return;
    this.#live = live;
    for (const listener of this.#listeners) listener();
  }
}
