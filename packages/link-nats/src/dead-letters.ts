/** Copies unreadable messages to a dead-letter stream, which an operator can inspect. */
import type { Logger } from '@blockwork/core';
import type { JsMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Epoch } from './broker.js';
import type { ResolvedOptions } from './options.js';
import type { Session } from './session.js';
import { deadLetterStream, ensureStream } from './stream.js';

/** Maximum number of attempts; the message also stays in the main stream. */
const ATTEMPTS = 5;
/** Bytes reserved for headers. */
const HEADER_BYTES = 4096;

export class DeadLetters {
  /** Messages set aside or given up. */
  count = 0;
  readonly #attempts = new Map<string, number>();
  /** The name of the stream, which is created once per connection if it is missing. */
  readonly #streams = new WeakMap<Session, Promise<string>>();
  readonly #options: ResolvedOptions;
  readonly #logger: Logger;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#logger = options.logger;
  }

  /** Rejects if the caller should retry. */
  async put(epoch: Epoch, message: JsMsg, reason: string): Promise<void> {
    const { subject, seq } = message;
    const id = epoch.numbers.idOf(seq);
    try {
      await this.#publish(epoch, message, reason, id);
      this.#logger.error('A message could not be read, and was set aside.', { subject, sequence: seq, reason });
    } catch (error) {
      // The stream may have been deleted meanwhile.
      this.#streams.delete(epoch.session);
      const attempts = (this.#attempts.get(id) ?? 0) + 1;
      this.#attempts.set(id, attempts);
      if (attempts < ATTEMPTS) throw error;
      const text =
        'A message could neither be read nor set aside. It stays in the stream as long as that keeps messages.';
      this.#logger.error(text, { subject, sequence: seq, reason, error });
    }
    this.#attempts.delete(id);
    this.count += 1;
  }

  #stream(session: Session): Promise<string> {
    let stream = this.#streams.get(session);
    if (stream !== undefined) return stream;
    const wanted = deadLetterStream(this.#options);
    stream = ensureStream(session.manager, wanted).then(() => wanted.name);
    stream.catch(() => this.#streams.delete(session));
    this.#streams.set(session, stream);
    return stream;
  }

  /** Every instance that reads the subject publishes the message, so a common `msgID` removes duplicates. */
  async #publish({ session }: Epoch, message: JsMsg, reason: string, msgID: string): Promise<void> {
    const name = await this.#stream(session);
    const room = (session.connection.info?.max_payload ?? this.#options.messageBytes) - HEADER_BYTES;
    const entries = headers();
    entries.set('Blockwork-Reason', reason.replace(/\s+/g, ' ').slice(0, 1000));
    entries.set('Blockwork-Subject', message.subject);
    entries.set('Blockwork-Sequence', String(message.seq));
    entries.set('Blockwork-Bytes', String(message.data.length));
    const subject = message.subject.replace(this.#options.stream, name);
    await session.client.publish(subject, message.data.subarray(0, Math.max(0, room)), {
      msgID,
      headers: entries,
      timeout: this.#options.publishMs,
    });
  }
}
