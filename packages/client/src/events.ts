/** Live events: a stream that resumes after interruptions. */
import type { AnswerOf, Contract } from '@blockwork/contract';
import { BlockworkApiError } from './api-error.js';
import { backOff, isTransient, unlessAborted } from './transport.js';
import type { Transport } from './transport.js';
import type { StreamRoute, UntypedArgs } from './types.js';

export type PolicyEvent = AnswerOf<Contract['policyEvents'], 200>;

export interface EventOptions {
  /** The `id` of the last event received. Default: only events from now on. */
  readonly after?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Called when the stream is open, and when it is lost and being reopened. */
  readonly onConnection?: (state: 'open' | 'lost') => void;
}

/** Idle timeout in ms: the server sends something at least every 15 seconds. */
const SILENCE_MS = 60_000;
/** Maximum length of an event in characters. */
const LONGEST_EVENT = 1_000_000;

/**
 * Yields events until the signal is aborted. After losing the connection, the server or the token, it reconnects and continues
 * after the last event. Rejects with a `BlockworkApiError` if reconnecting cannot help.
 */
export async function* eventsOf(
  transport: Transport,
  route: StreamRoute,
  args: UntypedArgs,
  { after, signal, onConnection }: EventOptions,
): AsyncGenerator<PolicyEvent, void> {
  let position = after;
  let failures = 0;
  let wasOpen = false;
  const stop = signal === undefined ? {} : { signal };
  const isEnded = (): boolean => signal?.aborted === true;
  while (!isEnded()) {
    let retryAfter: number | undefined;
    try {
      const query = { ...args.query, after: position };
      const { body } = await transport.once(route, { ...args, ...stop, query });
      onConnection?.('open');
      for await (const event of eventsIn(body, signal)) {
        position = event.id;
        failures = 0;
        if (event.type !== 'open' || !wasOpen) yield event;
        wasOpen = true;
      }
    } catch (error) {
      if (isEnded()) return;
      if (!isTransient(error)) throw error;
      ({ retryAfter } = error);
    }
    if (!isEnded()) onConnection?.('lost');
    await backOff(failures, retryAfter, signal).catch(() => undefined);
    failures += 1;
  }
}

/** The events of one response. Rejects if the connection breaks or times out. */
async function* eventsIn(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<PolicyEvent, void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const read = await withinSilence(reader?.read(), signal);
      if (read === undefined || read.done) return;
      text += decoder.decode(read.value, { stream: true });
      if (text.length > LONGEST_EVENT) throw lost('An event is too long.');
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) yield JSON.parse(data) as PolicyEvent;
      }
    }
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}

async function withinSilence<T>(next: Promise<T> | undefined, signal: AbortSignal | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lost('The server fell silent.')), SILENCE_MS);
  });
  try {
    return await unlessAborted(Promise.race([next, silence]), signal);
  } catch (error) {
    throw error instanceof BlockworkApiError ? error : lost('The connection broke.', error);
  } finally {
    clearTimeout(timer);
  }
}

const lost = (message: string, cause?: unknown): BlockworkApiError =>
  new BlockworkApiError(0, { error: 'NO_ANSWER', message }, cause);
