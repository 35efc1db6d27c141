/**
 * A node's mailbox: sends texts to other nodes and collects theirs. Texts posted while letters are being sent go with
 * the next ones.
 */
import type { Clock, Ids, Letter, Letters, Logger, Timers } from '../../ports/index.js';

export interface MailboxDeps {
  readonly letters: Letters;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whether a node polls for letters, so that it needs no notification. */
  readonly isPolling: (nodeId: string) => boolean;
  /** Called with each message from another node. Must not throw. */
  readonly onMessage: (message: unknown) => void;
  /** Called with each letter that could not be sent; it may have arrived all the same. Must not throw. */
  readonly onSendFailed: (letter: string) => void;
}

/** A text waiting to be sent. */
interface QueuedText {
  readonly text: string;
  /** Called with the id of the letter that carries the text, if it is a question. */
  readonly onLetter?: (letter: string) => void;
}

const LETTER_CHARACTERS = 1024 * 1024;
/** Polling interval of a node that is not notified. */
const POLL_MS = 5;

export class Mailbox {
  readonly #deps: MailboxDeps;
  readonly #waiting = new Map<string, QueuedText[]>();
  #unsubscribe: (() => void) | null = null;
  #sending: Promise<void> | null = null;
  #collecting: Promise<void> | null = null;
  #isCollectionDue = false;
  #pollingUntil = -Infinity;
  #cancelPoll: (() => void) | null = null;

  constructor(deps: MailboxDeps) {
    this.#deps = deps;
  }

  open(): void {
    this.#unsubscribe ??= this.#deps.letters.subscribe(this.#deps.nodeId, (texts) => {
      if (texts === undefined) void this.collect();
      else this.#deliver(texts);
    });
  }

  /**
   * Sends JSON text to another node, soon. So that a question can be retracted, `onLetter` is called with its letter's id
   * before that is sent.
   */
  post(to: string, text: string, onLetter?: (letter: string) => void): void {
    const queued = this.#waiting.get(to) ?? [];
    queued.push(onLetter === undefined ? { text } : { text, onLetter });
    this.#waiting.set(to, queued);
    this.#sending ??= this.#send();
  }

  /** Collects letters, once more if a collection is already in progress. */
  collect(): Promise<void> {
    this.#isCollectionDue = true;
    return (this.#collecting ??= this.#collect());
  }

  /** Polls for letters, for the last time `ms` milliseconds from now. */
  pollFor(ms: number): void {
    this.#pollingUntil = this.#deps.clock.now() + ms;
    this.#schedulePoll();
  }

  /** Resolves when everything posted so far is sent or lost. */
  async idle(): Promise<void> {
    await this.#collecting;
    await this.#sending;
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#cancelPoll?.();
    this.#cancelPoll = null;
    this.#pollingUntil = -Infinity;
  }

  #schedulePoll(): void {
    this.#cancelPoll ??= this.#deps.timers.after(POLL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    // Letters written during a poll may be too late for it.
    const began = this.#deps.clock.now();
    await this.collect();
    this.#cancelPoll = null;
    if (began < this.#pollingUntil) this.#schedulePoll();
  }

  async #send(): Promise<void> {
    // Texts posted in the same tick share a letter.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting].flatMap(([to, queued]) => this.#lettersOf(to, queued));
      this.#waiting.clear();
      await this.#dispatch(all);
      // Nodes that have stopped polling by now may have missed letters sent without a notification.
      const mayHaveMissed = new Set(
        all.filter(({ to, isAwaited }) => isAwaited && !this.#deps.isPolling(to)).map(({ to }) => to),
      );
      if (mayHaveMissed.size > 0)
        await this.#dispatch([...mayHaveMissed].map((to) => ({ id: this.#deps.ids.uuid(), to, text: '[]' })));
    }
    this.#sending = null;
  }

  async #dispatch(letters: readonly Letter[]): Promise<void> {
    try {
      await this.#deps.letters.send(letters);
    } catch (error) {
      this.#deps.logger.debug('Letters to other nodes could not be sent.', { letters: letters.length, error });
      for (const { id } of letters) this.#deps.onSendFailed(id);
    }
  }

  #lettersOf(to: string, queued: readonly QueuedText[]): Letter[] {
    const letters: { id: string; texts: string[]; size: number; isReply: boolean }[] = [];
    for (const { text, onLetter } of queued) {
      let last = letters.at(-1);
      if (last === undefined || last.size + text.length > LETTER_CHARACTERS) {
        letters.push((last = { id: this.#deps.ids.uuid(), texts: [], size: 0, isReply: true }));
      }
      last.texts.push(text);
      last.size += text.length;
      if (onLetter === undefined) continue;
      last.isReply = false;
      onLetter(last.id);
    }
    const { nodeId, isPolling } = this.#deps;
    const isAwaited = isPolling(to);
    return letters.map(({ id, texts, isReply }) => {
      const letter = { id, to, text: `[${texts.join()}]`, isAwaited, isReply };
      return isReply ? letter : { ...letter, from: nodeId };
    });
  }

  async #collect(): Promise<void> {
    const { letters, nodeId, logger } = this.#deps;
    while (this.#isCollectionDue) {
      this.#isCollectionDue = false;
      try {
        this.#deliver(await letters.take(nodeId));
      } catch (error) {
        logger.debug('Letters of other nodes could not be read.', { error });
      }
    }
    this.#collecting = null;
  }

  #deliver(texts: readonly string[]): void {
    for (const text of texts) for (const message of JSON.parse(text) as unknown[]) this.#deps.onMessage(message);
  }
}
