/** Events as a stream of server-sent events (HTML standard, section 9.2). */
import type { Logger, PolicyEvent, Timers } from '@blockwork/core';

export interface EventStreamDeps {
  readonly timers: Timers;
  readonly logger: Logger;
  /** Milliseconds between comments that keep the connection alive, and between checks of the token. */
  readonly heartbeatMs: number;
}

export interface EventSource {
  /** Ends when the signal is aborted. */
  events(signal: AbortSignal): AsyncGenerator<PolicyEvent, void>;
  /** Resolves with the remaining validity of the caller's token in ms; rejects once it is invalid. */
  renew(): Promise<number>;
  /** Ends the stream. */
  readonly stopping: AbortSignal;
  /** Milliseconds after which the stream ends. */
  readonly timeout: number | undefined;
}

/** Reconnection delay of browsers in ms. */
const RETRY_MS = 1_000;

/** Resolves with the first event; rejects with the engine's error if one comes before it. */
export async function eventStream(source: EventSource, deps: EventStreamDeps): Promise<AnswerStream> {
  const end = new AbortController();
  const abort = (): void => end.abort();
  source.stopping.addEventListener('abort', abort, { once: true });
  if (source.stopping.aborted) abort();
  const cancelTimeout = source.timeout === undefined ? null : deps.timers.after(source.timeout, abort, 'background');
  const release = (): void => {
    abort();
    source.stopping.removeEventListener('abort', abort);
    cancelTimeout?.();
  };
  try {
    const events = source.events(end.signal);
    const first = await events.next();
    return { chunks: chunksOf(first, events, source, deps, release), cancel: release };
  } catch (error) {
    release();
    throw error;
  }
}

async function* chunksOf(
  first: IteratorResult<PolicyEvent, void>,
  events: AsyncGenerator<PolicyEvent, void>,
  source: EventSource,
  deps: EventStreamDeps,
  release: () => void,
): AsyncGenerator<string, void> {
  const beats = new Heartbeat(deps, source);
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    if (first.done !== true) yield frameOf(first.value);
    for (let next = events.next(); ;) {
      const moment = await beats.nextOrBeat(next);
      if (moment === 'beat') {
        yield ':\n\n';
      } else if (moment.done === true) {
        return;
      } else {
        yield frameOf(moment.value);
        next = events.next();
      }
    }
  } catch (error) {
    // The client reconnects, and then receives the error.
    deps.logger.debug('A stream of events ended early.', { error });
  } finally {
    beats.stop();
    release();
  }
}

/** Fires at regular intervals, and when the token expires. */
class Heartbeat {
  #beat: Promise<'beat'> | null = null;
  #cancel = (): void => undefined;

  constructor(
    private readonly deps: EventStreamDeps,
    private readonly source: Pick<EventSource, 'renew'>,
  ) {}

  /** The next event or heartbeat, whichever comes first; the heartbeat if both are ready. Rejects once the caller's token is invalid. */
  async nextOrBeat<T>(next: Promise<T>): Promise<T | 'beat'> {
    this.#beat ??= this.#after(await this.source.renew());
    const moment = await Promise.race([this.#beat, next]);
    if (moment === 'beat') this.#beat = null;
    return moment;
  }

  stop(): void {
    this.#cancel();
  }

  #after(validForMs: number): Promise<'beat'> {
    const { timers, heartbeatMs } = this.deps;
    const ms = Math.min(heartbeatMs, Math.max(0, validForMs));
    return new Promise((resolve) => {
      this.#cancel = timers.after(ms, () => resolve('beat'), 'background');
    });
  }
}

/** Neither JSON nor ids contain line breaks. */
const frameOf = (event: PolicyEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** A streamed body, pulled while the client reads. */
export interface AnswerStream {
  /** The next chunk is requested once the previous one is sent. Never throws: on failure, the stream ends. */
  readonly chunks: AsyncGenerator<string, void>;
  /** Ends the stream when its reader is gone. Idempotent. */
  cancel(): void;
}

export const isStream = (body: string | Uint8Array | AnswerStream | null): body is AnswerStream =>
  body !== null && typeof body === 'object' && 'chunks' in body;
