/** Batches of refetches, one at a time, so that frequent events never restart a slow read. */
import type { QueryClient } from '@tanstack/react-query';
import type { QueryKey } from './stale-queries.js';

type Test = (key: QueryKey) => boolean;

export interface RoundsOptions {
  /** Pause after a round, as a multiple of its duration, which bounds the share of the server's time. */
  readonly rest?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

export class Rounds {
  #waiting: Test[] = [];
  #isRunning = false;
  readonly #rest: number;
  readonly #now: () => number;
  readonly #wait: (milliseconds: number) => Promise<void>;

  constructor(
    private readonly queries: Pick<QueryClient, 'invalidateQueries'>,
    { rest = 0, now = () => performance.now(), wait = pause }: RoundsOptions = {},
  ) {
    this.#rest = rest;
    this.#now = now;
    this.#wait = wait;
  }

  /** Queries that match are refetched, now or in the next round. */
  note(test: Test): void {
    this.#waiting.push(test);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const tests = this.#waiting;
      this.#waiting = [];
      const began = this.#now();
      const predicate = ({ queryKey }: { queryKey: QueryKey }): boolean => tests.some((isStale) => isStale(queryKey));
      await this.queries.invalidateQueries({ predicate });
      const took = this.#now() - began;
      if (this.#rest > 0) await this.#wait(took * this.#rest);
    }
    this.#isRunning = false;
  }
}

const pause = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
