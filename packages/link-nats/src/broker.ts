/**
 * Maintains the connection to the broker: connects, reconnects, and detects a stream that was recreated or rolled back.
 */
import { BlockworkError, systemClock, systemTimers } from '@blockwork/core';
import { MessageNumbers } from './message-numbers.js';
import type { ResolvedOptions } from './options.js';
import type { Session } from './session.js';
import { rebase, streamState, type StreamState } from './stream.js';
import { reasonOf, unavailable } from './unavailable.js';

/** Milliseconds between attempts to connect. */
const RETRY_MS = 500;

/** A period in which the sequence numbers of the stream only increase. */
export interface Epoch {
  readonly session: Session;
  readonly numbers: MessageNumbers;
}

export class Broker {
  /** Number of times that messages may have been lost. */
  losses = 0;
  #session: Session | null = null;
  #numbers: MessageNumbers | null = null;
  /** The highest sequence number seen in the current epoch. */
  #last = 0;
  #reason: string | null = 'it has not connected yet';
  #isOpen = true;
  /** Whether the client is reconnecting. */
  #isLost = false;
  #checking: Promise<void> | null = null;
  #connecting: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  readonly #lossListeners = new Set<(reason: string) => void>();
  readonly #epochListeners = new Set<() => void>();

  /** `open` rejects if the server cannot be used. */
  constructor(
    private readonly options: ResolvedOptions,
    private readonly open: (options: ResolvedOptions) => Promise<Session>,
  ) {}

  /** Resolves after the first attempt to connect, or `publishMs`; retries until it is closed. */
  async start(): Promise<void> {
    this.#connecting = this.#connect();
    let cancel = (): void => undefined;
    const timeout = new Promise<void>((resolve) => (cancel = systemTimers.after(this.options.publishMs, resolve)));
    await Promise.race([this.#connecting, timeout]);
    cancel();
  }

  /** Why it cannot be used now; `null` if it can. */
  get reason(): string | null {
    return this.#reason;
  }

  /** Throws `LINK_UNAVAILABLE` while it is not connected. */
  current(): Epoch {
    if (this.#session !== null && this.#numbers !== null && this.#reason === null)
      return { session: this.#session, numbers: this.#numbers };
    throw new BlockworkError('LINK_UNAVAILABLE', { facts: { reason: this.#reason ?? 'it is not connected' } });
  }

  /** The `max_payload` of the server; unknown before the first connection. */
  get payloadBytes(): number | undefined {
    return this.#session?.connection.info?.max_payload;
  }

  /** The current mapping of sequence numbers to ids; `null` before the first connection. */
  get numbers(): MessageNumbers | null {
    return this.#numbers;
  }

  /** The highest sequence number seen in the current epoch. */
  get last(): number {
    return this.#last;
  }

  /** Records the sequence number of a message, unless the epoch of `numbers` is over. */
  note(numbers: MessageNumbers, number: number): void {
    if (numbers === this.#numbers) this.#last = Math.max(this.#last, number);
  }

  /** Calls `listener` when messages may have been lost. Returns a function that unsubscribes. */
  onLoss(listener: (reason: string) => void): () => void {
    this.#lossListeners.add(listener);
    return () => void this.#lossListeners.delete(listener);
  }

  /**
   * Calls `listener` when the base of the ids has changed, so that the stream must be read again from its start.
   * Returns a function that unsubscribes.
   */
  onNewEpoch(listener: () => void): () => void {
    this.#epochListeners.add(listener);
    return () => void this.#epochListeners.delete(listener);
  }

  /** Compares the stream with the numbers seen so far. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => (this.#checking = null));
    return this.#checking;
  }

  /**
   * Checks that the stream still reaches the message with this id, which this process or an earlier one received;
   * otherwise reports a loss.
   */
  async verifyPosition(id: string): Promise<void> {
    const { session, numbers } = this.current();
    const number = numbers.numberOf(id);
    if (number < 0n) {
      this.#reportLoss('the stream is newer than what was received before');
      return;
    }
    if (number <= BigInt(this.#last)) return;
    // Read again, since the last known state may be older than the id.
    const { base, last } = await streamState(session.manager, this.options);
    if (base === numbers.base && number > BigInt(last))
      await this.#startEpochAfter(base + number, 'the stream ends before what was received');
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#reason = 'it is closed';
    this.#cancelTimer();
    await this.#connecting;
    await this.#checking;
    await this.#session?.connection.close();
  }

  async #connect(): Promise<void> {
    try {
      const session = await this.open(this.options);
      if (!this.#isOpen) {
        await session.connection.close();
        return;
      }
      this.#session = session;
      this.#isLost = false;
      void this.#watch(session);
      await this.check();
    } catch (error) {
      this.#fail(error);
      this.#after(RETRY_MS, () => {
        this.#connecting = this.#connect();
      });
    }
  }

  /** The client reconnects by itself; if it gives up, a new connection is opened. */
  async #watch({ connection }: Session): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.#isLost = true;
        this.#fail(new Error('the connection is lost'));
      }
      if (type === 'reconnect') {
        this.#isLost = false;
        void this.check();
      }
    }
    if (!this.#isOpen) return;
    this.#fail((await connection.closed()) ?? new Error('the connection was closed'));
    this.#connecting = this.#connect();
  }

  async #check(): Promise<void> {
    const session = this.#session;
    if (!this.#isOpen || this.#isLost || session === null || session.connection.isClosed()) return;
    // Read before the request: the answer may not include messages seen meanwhile.
    const last = this.#last;
    try {
      const state = await streamState(session.manager, this.options);
      if (this.#numbers === null) this.#adopt(state);
      else await this.#compare(this.#numbers, last, state);
      this.#recover();
    } catch (error) {
      this.#fail(error);
    }
    this.#after(this.#reason === null ? this.options.checkMs : RETRY_MS, () => void this.check());
  }

  async #compare(numbers: MessageNumbers, last: number, state: StreamState): Promise<void> {
    const highest = numbers.base + BigInt(this.#last);
    if (state.base === numbers.base && state.last >= last) this.note(numbers, state.last);
    else if (state.base > highest) this.#startEpoch(state, 'the stream was made again');
    else await this.#startEpochAfter(highest, 'the stream went back to an older state');
  }

  /** Moves the base of the ids past all ids assigned so far. Rejects if the stream cannot be updated. */
  async #startEpochAfter(highest: bigint, reason: string): Promise<void> {
    const { manager } = this.#session ?? this.current().session;
    const now = BigInt(systemClock.now()) * 1_000_000n;
    await rebase(manager, this.options, now > highest ? now : highest + 1n);
    this.#startEpoch(await streamState(manager, this.options), reason);
  }

  #startEpoch(state: StreamState, reason: string): void {
    this.#adopt(state);
    this.#reportLoss(reason);
    for (const listener of this.#epochListeners) listener();
  }

  #adopt({ base, last }: StreamState): void {
    this.#numbers = new MessageNumbers(base);
    this.#last = last;
  }

  #reportLoss(reason: string): void {
    this.losses += 1;
    this.options.logger.error('The broker may have lost messages; everything that is there is received again.', {
      reason,
    });
    for (const listener of this.#lossListeners) listener(reason);
  }

  #recover(): void {
    if (this.#reason !== null) this.options.logger.info('The link is connected.', { stream: this.options.stream });
    this.#reason = null;
  }

  #fail(error: unknown): void {
    if (!this.#isOpen) return;
    const reason = reasonOf(unavailable(error));
    if (reason !== this.#reason) this.options.logger.warn('The link is not connected, and tries again.', { reason });
    this.#reason = reason;
  }

  #after(ms: number, run: () => void): void {
    this.#cancelTimer();
    if (this.#isOpen) this.#cancelTimer = systemTimers.after(ms, run, 'background');
  }
}
