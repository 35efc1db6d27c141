/** One line per request: caller, route, status and duration. Never tokens, bodies or queries. */
import type { Clock, Logger } from '@blockwork/core';
import { isStream } from './event-stream.js';
import type { HttpAnswer } from './http-answer.js';

export interface Access {
  readonly requestId: string;
  readonly method: string;
  /** Name in the contract; `null` if no route matches. */
  readonly route: string | null;
  readonly path: string;
  /** The identity of the caller; `null` if unknown. */
  readonly caller: string | null;
  /** Arrival time, by the log's clock. */
  readonly since: number;
}

export class AccessLog {
  readonly #logger: Logger;
  readonly #clock: Clock;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  write({ since, ...access }: Access, { status, body }: HttpAnswer): void {
    // Nothing of a stream has been sent yet.
    const bytes = body === null || isStream(body) ? 0 : Buffer.byteLength(body);
    this.#logger.info('A request was answered.', { ...access, status, ms: this.#clock.now() - since, bytes });
  }
}
