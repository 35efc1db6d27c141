/** The state fed by the event stream: the connection, and the last unit that touched each block. */
import type { PolicyEvent } from '@blockwork/client';

/** `paused`: the tab is hidden. `refused`: the server gives this person no stream. `ended`: it takes their token no more. */
export type Connection = 'connecting' | 'live' | 'lost' | 'paused' | 'refused' | 'ended';

/** A unit of work, as far as it is told to everyone whom it concerns. */
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

/** Policies whose movement is remembered; the page shows one at a time. */
const POLICIES = 20;

const nothing: Live = { connection: 'connecting', reason: '', moved: new Map() };

/** The state after an event. A unit that was heard before changes nothing. */
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

  /** Whether the page has to ask for itself, since nobody tells it. */
  get isBlind(): boolean {
    return this.#live.connection === 'lost' || this.#live.connection === 'refused';
  }

  hear(event: PolicyEvent): void {
    this.#set(afterEvent(this.#live, event));
  }

  connect(connection: Connection, reason = ''): void {
    this.#set({ ...this.#live, connection, reason });
  }

  /** Forgets what moved, for somebody else. */
  clear(): void {
    this.#set({ ...this.#live, moved: nothing.moved });
  }

  #set(live: Live): void {
    if (live === this.#live) return;
    this.#live = live;
    for (const listener of this.#listeners) listener();
  }
}
