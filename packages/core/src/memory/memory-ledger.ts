/** A ledger within the process: gives topics and messages their ids and keeps nothing else. */
import type { Clock, Ledger } from '../ports/index.js';
import { AnsweredKeys } from './answered-keys.js';
import { MessageIds } from './message-ids.js';
import { systemClock } from './system-clock.js';

/**
 * Topic ids `0.0.<n>` begin with the clock's milliseconds, so that those made after a restart differ from
 * those made before it.
 */
export class MemoryLedger implements Ledger {
  readonly #clock: Clock;
  readonly #messageIds: MessageIds;
  readonly #topics = new AnsweredKeys();
  readonly #messages = new AnsweredKeys();
  #lastTopic = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#messageIds = new MessageIds(clock);
  }

  createTopic(_memo: string, idempotencyKey: string): Promise<string> {
    return Promise.resolve(this.#topics.once(idempotencyKey, () => this.#nextTopic()));
  }

  submitMessage(_topicId: string, _message: string, idempotencyKey: string): Promise<string> {
    return Promise.resolve(this.#messages.once(idempotencyKey, () => this.#messageIds.next()));
  }

  #nextTopic(): string {
    this.#lastTopic = Math.max(this.#lastTopic + 1, Math.floor(this.#clock.now()));
    return `0.0.${this.#lastTopic}`;
  }
}
