/** One line for each request: who asked what, how it ended, and how long it took. Never tokens, bodies or queries. */
import type { Clock, Logger } from '@blockwork/core';
import { isStream } from './answer-stream.js';
import type { HttpAnswer } from './http-answer.js';

export interface Access {
  readonly requestId: string;
  readonly method: string;
  /** Name in the contract; `null` where no route has the path and method. */
  readonly route: string | null;
  readonly path: string;
  /** The identity of the caller; `null` if it is not known. */
  readonly caller: string | null;
  /** When the request arrived, by the clock of the log. */
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
    // Of a stream nothing has been sent yet.
    const bytes = body === null || isStream(body) ? 0 : Buffer.byteLength(body);
    this.#logger.info('A request was answered.', { ...access, status, ms: this.#clock.now() - since, bytes });
  }
}
