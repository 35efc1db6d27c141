/** The connection to the broker over time: connects, reconnects, and notices when the stream is no longer the one it was. */
import { BlockworkError, systemClock, systemTimers } from '@blockwork/core';
import { MessageNumbers } from './message-numbers.js';
import type { ResolvedOptions } from './options.js';
import type { Session } from './session.js';
import { rebase, streamState, type StreamState } from './stream.js';
import { reasonOf, unavailable } from './unavailable.js';

/** Milliseconds between attempts to connect. */
const RETRY_MS = 500;

/** The part of the stream's life in which sequence numbers only increase. */
export interface Epoch {
  readonly session: Session;
  readonly numbers: MessageNumbers;
}

export class Broker {
  /** How often messages were lost. */
  losses = 0;
  #session: Session | null = null;
  #numbers: MessageNumbers | null = null;
  /** The highest number seen since the base of the ids last changed. */
  #last = 0;
  #reason: string | null = 'it has not connected yet';
  #isOpen = true;
  /** Whether the client is reconnecting. */
  #isLost = false;
  #checking: Promise<void> | null = null;
  #connecting: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  readonly #lossListeners = new Set<(reason: string) => void>();
  readonly #renewalListeners = new Set<() => void>();

  /** `open` rejects if the server cannot be used. */
  constructor(
    private readonly options: ResolvedOptions,
    private readonly open: (options: ResolvedOptions) => Promise<Session>,
  ) {}

  /** Resolves after the first attempt to connect, or `publishMs`; retries until it is closed. */
  async start(): Promise<void> {
    this.#connecting = this.#connect();
    let cancel = (): void => undefined;
    const longEnough = new Promise<void>((resolve) => (cancel = systemTimers.after(this.options.publishMs, resolve)));
    await Promise.race([this.#connecting, longEnough]);
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

  /** How sequence numbers become ids now; `null` before the first connection. */
  get numbers(): MessageNumbers | null {
    return this.#numbers;
  }

  /** The highest number seen so far. */
  get last(): number {
    return this.#last;
  }

  /** A message that was seen while ids were made by `numbers`. */
  note(numbers: MessageNumbers, number: number): void {
    if (numbers === this.#numbers) this.#last = Math.max(this.#last, number);
  }

  /** Calls `listener` when messages may be lost. Returns a function that stops that. */
  onLoss(listener: (reason: string) => void): () => void {
    this.#lossListeners.add(listener);
    return () => void this.#lossListeners.delete(listener);
  }

  /** Calls `listener` when ids count from another moment: everything that is there must be read again. */
  onRenewal(listener: () => void): () => void {
    this.#renewalListeners.add(listener);
    return () => void this.#renewalListeners.delete(listener);
  }

  /** Compares the stream with what was seen of it. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => (this.#checking = null));
    return this.#checking;
  }

  /** Says that a message with this id was received once, in this process or an earlier one. Resolves once that is looked into. */
  async expect(id: string): Promise<void> {
    const { session, numbers } = this.current();
    const number = numbers.numberOf(id);
    if (number < 0n) {
      this.#lose('the stream is newer than what was received before');
      return;
    }
    if (number <= BigInt(this.#last)) return;
    // Asked again: what is known here may be older than the id.
    const { base, last } = await streamState(session.manager, this.options);
    if (base === numbers.base && number > BigInt(last))
      await this.#renewPast(base + number, 'the stream ends before what was received');
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

  /** The client reconnects by itself; a connection that it gives up is opened again. */
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
    // Before the question: what is seen meanwhile may be missing in the answer.
    const seen = this.#last;
    try {
      const found = await streamState(session.manager, this.options);
      if (this.#numbers === null) this.#adopt(found);
      else await this.#compare(this.#numbers, seen, found);
      this.#recover();
    } catch (error) {
      this.#fail(error);
    }
    this.#after(this.#reason === null ? this.options.checkMs : RETRY_MS, () => void this.check());
  }

  async #compare(numbers: MessageNumbers, seen: number, found: StreamState): Promise<void> {
    const highest = numbers.base + BigInt(this.#last);
    if (found.base === numbers.base && found.last >= seen) this.note(numbers, found.last);
    else if (found.base > highest) this.#renew(found, 'the stream was made again');
    else await this.#renewPast(highest, 'the stream went back to an older state');
  }

  /** Makes ids count from a moment after all those given so far. Rejects if the stream cannot be changed. */
  async #renewPast(highest: bigint, reason: string): Promise<void> {
    const { manager } = this.#session ?? this.current().session;
    const now = BigInt(systemClock.now()) * 1_000_000n;
    await rebase(manager, this.options, now > highest ? now : highest + 1n);
    this.#renew(await streamState(manager, this.options), reason);
  }

  #renew(found: StreamState, reason: string): void {
    this.#adopt(found);
    this.#lose(reason);
    for (const listener of this.#renewalListeners) listener();
  }

  #adopt({ base, last }: StreamState): void {
    this.#numbers = new MessageNumbers(base);
    this.#last = last;
  }

  #lose(reason: string): void {
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
