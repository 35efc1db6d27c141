/** One subscriber's progress through one policy's journal. */
import type { Caller } from '../access/index.js';
import type { Audience, JournalTail } from './journal-tail.js';
import type { Movement } from './policy-event.js';
import { eventFor, type EventDraft } from './visibility.js';

export interface FollowerDeps {
  readonly caller: Caller;
  readonly tail: JournalTail;
  /** Maximum units it may lag behind. */
  readonly backlog: number;
}

interface Batch {
  readonly movements: readonly Movement[];
  readonly audience: Audience;
}

export class Follower {
  #position: string;
  #batch: Batch | null = null;
  #next = 0;
  #restarts: number;
  #traceparent: string | undefined;

  constructor(
    private readonly deps: FollowerDeps,
    position: string,
  ) {
    this.#position = position;
    this.#restarts = deps.tail.restarts;
  }

  get policyId(): string {
    return this.deps.tail.policyId;
  }

  /** The id of the last entry read. */
  get position(): string {
    return this.#position;
  }

  /** W3C trace context of the last entry's cause. */
  get traceparent(): string | undefined {
    return this.#traceparent;
  }

  /**
   * The next event the subscriber may see; `null` if it is up to date. Rejects with `POLICY_UNKNOWN`,
   * `STORE_UNAVAILABLE`.
   */
  async next(): Promise<EventDraft | 'gap' | null> {
    for (;;) {
      const movement = this.#batch?.movements[this.#next];
      if (this.#batch === null || movement === undefined) {
        const loaded = await this.#load();
        if (loaded !== true) return loaded;
        continue;
      }
      this.#next += 1;
      this.#position = movement.id;
      this.#traceparent = movement.traceparent;
      const event = eventFor(this.deps.caller, this.#batch.audience, movement);
      if (event !== null) return event;
    }
  }

  async #load(): Promise<true | 'gap' | null> {
    const { tail, backlog } = this.deps;
    tail.assertNotDeleted();
    this.#batch = null;
    const isElsewhere = this.#restarts !== tail.restarts;
    this.#restarts = tail.restarts;
    if (this.#position === tail.head && !isElsewhere) return null;
    const isFarBehind = isElsewhere || Number(tail.head) - Number(this.#position) > backlog;
    const movements = isFarBehind ? 'gap' : await tail.after(this.#position);
    if (movements === 'gap') {
      this.#position = tail.head;
      this.#traceparent = undefined;
      return 'gap';
    }
    if (movements.length === 0) return null;
    // Fetched after the entries, so that a subscriber who has lost a role by then does not see them.
    this.#batch = { movements, audience: await tail.audience() };
    this.#next = 0;
    return true;
  }
}
