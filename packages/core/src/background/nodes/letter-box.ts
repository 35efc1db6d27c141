/**
 * A node's letter box: sends texts to other nodes and collects theirs. Texts posted while a letter is being sent go
 * with the next one.
 */
import type { Clock, Ids, Letter, Letters, Logger, Timers } from '../../ports/index.js';

export interface LetterBoxDeps {
  readonly letters: Letters;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whether a node polls for letters, so that it needs no notification. */
  readonly isLooking: (nodeId: string) => boolean;
  /** Called with each text from another node. Must not throw. */
  readonly heard: (said: unknown) => void;
  /** Called with each letter that could not be sent; it may have arrived all the same. Must not throw. */
  readonly failed: (letter: string) => void;
}

/** A text waiting to be sent. */
interface Parcel {
  readonly text: string;
  /** Of a question: hears of the letter that it goes with. */
  readonly posted?: (letter: string) => void;
}

const LETTER_CHARACTERS = 1024 * 1024;
/** Polling interval of a node that is not notified. */
const LOOK_MS = 5;

export class LetterBox {
  readonly #deps: LetterBoxDeps;
  readonly #waiting = new Map<string, Parcel[]>();
  #unsubscribe: (() => void) | null = null;
  #sending: Promise<void> | null = null;
  #collecting: Promise<void> | null = null;
  #isRung = false;
  #lookingUntil = -Infinity;
  #cancelLook: (() => void) | null = null;

  constructor(deps: LetterBoxDeps) {
    this.#deps = deps;
  }

  open(): void {
    this.#unsubscribe ??= this.#deps.letters.subscribe(this.#deps.nodeId, (texts) => {
      if (texts === undefined) void this.collect();
      else this.#hear(texts);
    });
  }

  /**
   * Sends JSON text to another node, soon. So that a question can be retracted, `posted` is called with its letter's id
   * before that is sent.
   */
  post(to: string, text: string, posted?: (letter: string) => void): void {
    const parcels = this.#waiting.get(to) ?? [];
    parcels.push(posted === undefined ? { text } : { text, posted });
    this.#waiting.set(to, parcels);
    this.#sending ??= this.#send();
  }

  /** Collects letters, once more if a collection is already in progress. */
  collect(): Promise<void> {
    this.#isRung = true;
    return (this.#collecting ??= this.#collect());
  }

  /** Polls for letters, for the last time `ms` milliseconds from now. */
  lookFor(ms: number): void {
    this.#lookingUntil = this.#deps.clock.now() + ms;
    this.#lookLater();
  }

  /** Resolves when everything posted so far is sent or lost. */
  async idle(): Promise<void> {
    await this.#collecting;
    await this.#sending;
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#cancelLook?.();
    this.#cancelLook = null;
    this.#lookingUntil = -Infinity;
  }

  #lookLater(): void {
    this.#cancelLook ??= this.#deps.timers.after(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    // Letters written during a look may be too late for it.
    const began = this.#deps.clock.now();
    await this.collect();
    this.#cancelLook = null;
    if (began < this.#lookingUntil) this.#lookLater();
  }

  async #send(): Promise<void> {
    // Texts posted in the same tick share a letter.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting].flatMap(([to, parcels]) => this.#lettersOf(to, parcels));
      this.#waiting.clear();
      await this.#dispatch(all);
      // Nodes that have stopped polling by now may have missed letters sent without a notification.
      const missed = new Set(
        all.filter(({ to, isAwaited }) => isAwaited && !this.#deps.isLooking(to)).map(({ to }) => to),
      );
      if (missed.size > 0)
        await this.#dispatch([...missed].map((to) => ({ id: this.#deps.ids.uuid(), to, text: '[]' })));
    }
    this.#sending = null;
  }

  async #dispatch(letters: readonly Letter[]): Promise<void> {
    try {
      await this.#deps.letters.send(letters);
    } catch (error) {
      this.#deps.logger.debug('Letters to other nodes could not be sent.', { letters: letters.length, error });
      for (const { id } of letters) this.#deps.failed(id);
    }
  }

  #lettersOf(to: string, parcels: readonly Parcel[]): Letter[] {
    const letters: { id: string; texts: string[]; size: number; isReply: boolean }[] = [];
    for (const { text, posted } of parcels) {
      let last = letters.at(-1);
      if (last === undefined || last.size + text.length > LETTER_CHARACTERS) {
        letters.push((last = { id: this.#deps.ids.uuid(), texts: [], size: 0, isReply: true }));
      }
      last.texts.push(text);
      last.size += text.length;
      if (posted === undefined) continue;
      last.isReply = false;
      posted(last.id);
    }
    const { nodeId, isLooking } = this.#deps;
    const isAwaited = isLooking(to);
    return letters.map(({ id, texts, isReply }) => {
      const letter = { id, to, text: `[${texts.join()}]`, isAwaited, isReply };
      return isReply ? letter : { ...letter, from: nodeId };
    });
  }

  async #collect(): Promise<void> {
    const { letters, nodeId, logger } = this.#deps;
    while (this.#isRung) {
      this.#isRung = false;
      try {
        this.#hear(await letters.take(nodeId));
      } catch (error) {
        logger.debug('Letters of other nodes could not be read.', { error });
      }
    }
    this.#collecting = null;
  }

  #hear(texts: readonly string[]): void {
    for (const text of texts) for (const said of JSON.parse(text) as unknown[]) this.#deps.heard(said);
  }
}
