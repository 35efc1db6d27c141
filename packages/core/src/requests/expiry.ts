/** Expiry: closes the requests whose time is up, by one timer for the next of them. */
import { isBlockworkError } from '../errors.js';
import type { Clock, Logger, PolicyStore, Timers } from '../ports/index.js';
import { allOf, INSTANCE } from '../records/index.js';
import type { Condition, RemoteRequest } from '../records/index.js';
import type { OutgoingRequests } from './outgoing-requests.js';
import { requestsIn, type CommitListeners } from '../transactions/index.js';
import type { RequestCloser } from './request-closer.js';

export interface ExpiryDeps {
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly commits: CommitListeners;
  readonly closer: RequestCloser;
  readonly outgoing: OutgoingRequests;
  /** Milliseconds after its expiry that an answer may still come from the other side, which alone knows how it ended. */
  readonly answerMs: number;
}

const BATCH = 100;
/** Milliseconds until a look that failed is tried again; and the longest sleep, since other processes add requests too. */
const RETRY = 1000;
const LONGEST = 60_000;

export class Expiry {
  #cancel: (() => void) | null = null;
  #wakesAt = Infinity;
  #looking: Promise<void> = Promise.resolve();
  #isOpen = true;
  readonly #stopWatching: () => void;

  constructor(private readonly deps: ExpiryDeps) {
    this.#stopWatching = deps.commits.watch((changeSet) => {
      for (const request of requestsIn(changeSet)) if (request.status === 'NEW') this.#wakeBy(this.#dueAt(request));
    });
  }

  /** Closes what is due, and sleeps until the next is. Resolves when that is done. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      if (!this.#isOpen) return;
      this.#wakesAt = Infinity;
      this.#cancel?.();
      try {
        const next = Math.min(await this.#close('incoming'), await this.#close('outgoing'));
        this.#wakeBy(Math.min(next, this.deps.clock.now() + LONGEST));
      } catch (error) {
        this.deps.logger.warn('Expired requests could not be closed; it is tried again.', { error });
        this.#wakeBy(this.deps.clock.now() + RETRY);
      }
    });
    return this.#looking;
  }

  /** Resolves when no look is under way. */
  idle(): Promise<void> {
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#stopWatching();
    this.#cancel?.();
    await this.#looking;
  }

  /** When the next one of this direction is due. */
  async #close(direction: RemoteRequest['direction']): Promise<number> {
    const { store, clock } = this.deps;
    const where = allOf(equals('status', 'NEW'), equals('direction', direction));
    for (;;) {
      const open = await store.find('request', INSTANCE, {
        where,
        order: { path: 'expiresAt', direction: 'asc' },
        limit: BATCH,
      });
      const due = open.filter((request) => this.#dueAt(request) <= clock.now());
      for (const request of due) await this.#expire(request);
      const next = open[due.length];
      if (next !== undefined) return this.#dueAt(next);
      if (open.length < BATCH) return Infinity;
    }
  }

  async #expire(request: RemoteRequest): Promise<void> {
    if (request.direction === 'outgoing') return this.deps.outgoing.giveUp(request);
    try {
      await this.deps.closer.close(request, 'EXPIRED', request.to);
    } catch (error) {
      // Somebody decided at the last moment.
      if (!isBlockworkError(error, 'REQUEST_CLOSED')) throw error;
    }
  }

  #dueAt({ direction, expiresAt }: RemoteRequest): number {
    return Date.parse(expiresAt) + (direction === 'incoming' ? 0 : this.deps.answerMs);
  }

  #wakeBy(moment: number): void {
    if (!this.#isOpen || moment >= this.#wakesAt) return;
    this.#wakesAt = moment;
    this.#cancel?.();
    const ms = Math.max(0, moment - this.deps.clock.now());
    this.#cancel = this.deps.timers.after(ms, () => void this.look(), 'background');
  }
}

const equals = (path: string, value: string): Condition => ({ path, op: 'eq', value });
