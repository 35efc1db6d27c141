/**
 * The channels on which core tells what it does, as tracing channels of `node:diagnostics_channel`: `tracing:<name>:start`, `:end`,
 * `:asyncStart`, `:asyncEnd` and `:error`, all with the same object. Results and thrown values are not on it.
 */
import { subscribe, tracingChannel, unsubscribe, type TracingChannel } from 'node:diagnostics_channel';
import { isBlockworkError } from '../errors.js';
import type {
  CommitOperation,
  HttpOperation,
  MessageOperation,
  Operation,
  OutboxOperation,
  ReadOperation,
  SendOperation,
  SettleOperation,
  TimerOperation,
  WebhookOperation,
} from './operations.js';

export class OperationChannel<Work extends Operation> {
  /** Referenced here: a channel without references loses its subscribers. */
  readonly #channel: TracingChannel<unknown, Work>;

  constructor(readonly name: string) {
    this.#channel = tracingChannel<unknown, Work>(name);
  }

  /** Whether there are subscribers. Check first: without any, no operation need be created. */
  get isHeard(): boolean {
    const { start, end, asyncStart, asyncEnd, error } = this.#channel;
    return (
      start.hasSubscribers ||
      asyncEnd.hasSubscribers ||
      error.hasSubscribers ||
      end.hasSubscribers ||
      asyncStart.hasSubscribers
    );
  }

  /**
   * Runs the work and publishes it. A rejection is passed on unchanged. `found` adds facts known only from the result.
   * Costs one promise, since much of the observed work takes microseconds.
   */
  trace<T>(operation: Work, work: () => Promise<T>, countOf?: (operation: Work, result: T) => void): Promise<T> {
    const { start, end } = this.#channel;
    const since = performance.now();
    const run = (): Promise<T> => this.#settled(operation, since, started(work), countOf);
    const done = start.hasSubscribers ? start.runStores(operation, run) : run();
    end.publish(operation);
    return done;
  }

  /** Calls the listeners, which must not throw, until the returned function is called. */
  subscribe(listeners: {
    readonly start?: (operation: Work) => void;
    readonly end?: (operation: Work) => void;
  }): () => void {
    const [start, asyncEnd] = [`tracing:${this.name}:start`, `tracing:${this.name}:asyncEnd`];
    const began = (message: unknown): void => listeners.start?.(message as Work);
    const ended = (message: unknown): void => listeners.end?.(message as Work);
    if (listeners.start !== undefined) subscribe(start, began);
    if (listeners.end !== undefined) subscribe(asyncEnd, ended);
    return () => {
      unsubscribe(start, began);
      unsubscribe(asyncEnd, ended);
    };
  }

  #settled<T>(
    operation: Work,
    since: number,
    done: Promise<T>,
    countOf?: (operation: Work, result: T) => void,
  ): Promise<T> {
    return done.then(
      (result) => {
        countOf?.(operation, result);
        operation.outcome ??= 'done';
        operation.ms = performance.now() - since;
        this.#ended(operation);
        return result;
      },
      (error: unknown) => {
        operation.outcome = 'failed';
        operation.code ??= isBlockworkError(error) ? error.code : 'INTERNAL';
        operation.ms = performance.now() - since;
        this.#channel.error.publish(operation);
        this.#ended(operation);
        throw error;
      },
    );
  }

  #ended(operation: Work): void {
    const { asyncStart, asyncEnd } = this.#channel;
    asyncStart.publish(operation);
    asyncEnd.publish(operation);
  }
}

/** Publishes a synchronous exception as a rejection. */
function started<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return new Promise(() => {
      throw error;
    });
  }
}

export const channels = {
  read: new OperationChannel<ReadOperation>('blockwork:read'),
  send: new OperationChannel<SendOperation>('blockwork:send'),
  commit: new OperationChannel<CommitOperation>('blockwork:commit'),
  settle: new OperationChannel<SettleOperation>('blockwork:settle'),
  outbox: new OperationChannel<OutboxOperation>('blockwork:outbox'),
  message: new OperationChannel<MessageOperation>('blockwork:message'),
  webhook: new OperationChannel<WebhookOperation>('blockwork:webhook'),
  timer: new OperationChannel<TimerOperation>('blockwork:timer'),
  http: new OperationChannel<HttpOperation>('blockwork:http'),
} as const;

type Work<Channel> = Channel extends OperationChannel<infer Of> ? Of : never;

/** What each channel carries. */
export type Operations = { readonly [Name in keyof typeof channels]: Work<(typeof channels)[Name]> };
