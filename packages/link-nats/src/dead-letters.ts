/** Sets messages aside that cannot be read, in a stream that an operator can look at. */
import type { Logger } from '@blockwork/core';
import type { JsMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Epoch } from './broker.js';
import type { ResolvedOptions } from './options.js';
import type { Session } from './session.js';
import { deadLetterStream, ensuredStream } from './stream.js';

/** How often to try; the message stays in the main stream as well. */
const ATTEMPTS = 5;
/** What headers may take of a message. */
const HEADER_BYTES = 4096;

export class DeadLetters {
  /** Messages set aside or given up. */
  count = 0;
  readonly #attempts = new Map<string, number>();
  /** The stream, once for each connection. */
  readonly #streams = new WeakMap<Session, Promise<string>>();
  readonly #options: ResolvedOptions;
  readonly #logger: Logger;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#logger = options.logger;
  }

  /** Rejects if it is to be tried again. */
  async put(epoch: Epoch, message: JsMsg, reason: string): Promise<void> {
    const { subject, seq } = message;
    const id = epoch.numbers.idOf(seq);
    try {
      await this.#publish(epoch, message, reason, id);
      this.#logger.error('A message could not be read, and was set aside.', { subject, sequence: seq, reason });
    } catch (error) {
      // It may have been removed since.
      this.#streams.delete(epoch.session);
      const attempts = (this.#attempts.get(id) ?? 0) + 1;
      this.#attempts.set(id, attempts);
      if (attempts < ATTEMPTS) throw error;
      const said =
        'A message could neither be read nor set aside. It stays in the stream as long as that keeps messages.';
      this.#logger.error(said, { subject, sequence: seq, reason, error });
    }
    this.#attempts.delete(id);
    this.count += 1;
  }

  #stream(session: Session): Promise<string> {
    let stream = this.#streams.get(session);
    if (stream !== undefined) return stream;
    const wanted = deadLetterStream(this.#options);
    stream = ensuredStream(session.manager, wanted).then(() => wanted.name);
    stream.catch(() => this.#streams.delete(session));
    this.#streams.set(session, stream);
    return stream;
  }

  /** Every instance that reads the subject does this, under the same key. */
  async #publish({ session }: Epoch, message: JsMsg, reason: string, msgID: string): Promise<void> {
    const name = await this.#stream(session);
    const room = (session.connection.info?.max_payload ?? this.#options.messageBytes) - HEADER_BYTES;
    const about = headers();
    about.set('Blockwork-Reason', reason.replace(/\s+/g, ' ').slice(0, 1000));
    about.set('Blockwork-Subject', message.subject);
    about.set('Blockwork-Sequence', String(message.seq));
    about.set('Blockwork-Bytes', String(message.data.length));
    const subject = message.subject.replace(this.#options.stream, name);
    await session.client.publish(subject, message.data.subarray(0, Math.max(0, room)), {
      msgID,
      headers: about,
      timeout: this.#options.publishMs,
    });
  }
}
