/**
 * Calls between nodes, as letters in their shared store: a question, and its answer. Delivery is not guaranteed: a
 * question without an answer may have been carried out, and the caller must be able to find out.
 */
import type { Clock, Ids, Letters, Logger, Timers } from '../../ports/index.js';
import type { Json } from '../../records/index.js';
import { LetterBox } from './letter-box.js';
import { Lookouts } from './lookouts.js';
import { Patience } from './patience.js';
import type { StoreNode } from './store-node.js';
import type { BackgroundService } from '../worker.js';

export interface NodeCallsDeps {
  readonly letters: Letters;
  readonly node: Pick<StoreNode, 'facts' | 'isAlive' | 'leaseMs'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Answers a question of another node, as JSON text. Must not reject. */
export type Answerer = (question: Json, from: string) => Promise<string>;

/** A question of this node that waits for its answer. */
interface Asked {
  readonly to: string;
  /** The id of the letter that carries it; empty before that is sent. */
  letter: string;
  /** Whether the other node has taken the letter. */
  isTaken: boolean;
  readonly askedAt: number;
  heardAt: number;
  readonly settle: (answer: Json | undefined) => void;
}

/** A question of another node that is being answered. */
interface Answering {
  readonly from: string;
  toldAt: number;
}

type Said =
  | { readonly type: 'question'; readonly id: string; readonly from: string; readonly question: Json }
  | { readonly type: 'answer'; readonly id: string; readonly answer: Json; readonly looking?: number }
  /** `working`: the answer takes longer. `declined`: nothing was done, nor will be. */
  | { readonly type: 'working' | 'declined'; readonly id: string };

/** How often a node checks its calls, and how long a letter is left at least to a node that does not take it. */
const WATCH_MS = 1_000;
/** Interval at which a node reports that it still works on a question, and the silence after which it is given up. */
const WORKING_MS = 3_000;
const SILENT_MS = 10_000;

export class NodeCalls implements BackgroundService {
  readonly #deps: NodeCallsDeps;
  readonly #box: LetterBox;
  readonly #asked = new Map<string, Asked>();
  readonly #answering = new Map<string, Answering>();
  readonly #patience: Patience;
  readonly #lookouts: Lookouts;
  readonly #underWay = new Set<Promise<unknown>>();
  #answerer: Answerer | null = null;
  #isStopping = false;
  #cancelWatch: (() => void) | null = null;

  constructor(deps: NodeCallsDeps) {
    this.#deps = deps;
    const { letters, node, clock, timers, ids, logger } = deps;
    this.#lookouts = new Lookouts(clock);
    const isLooking = (nodeId: string): boolean => this.#lookouts.has(nodeId);
    const heard = (said: unknown): void => this.#heard(said as Said);
    // Patience ends before the lease does: a node that takes no letters need not be known dead first.
    this.#patience = new Patience({ leastMs: WATCH_MS, mostMs: (node.leaseMs * 3) / 4 });
    const failed = (letter: string): void => this.#failed(letter);
    const { id: nodeId } = node.facts;
    this.#box = new LetterBox({ letters, nodeId, clock, timers, ids, logger, isLooking, heard, failed });
  }

  /** From the start on, `answerer` answers the questions of other nodes. */
  answerWith(answerer: Answerer): void {
    this.#answerer = answerer;
  }

  /**
   * Asks another node `question`, a JSON text. Resolves with `undefined` if there is no answer, because the node is
   * gone or has been silent for long. The question may still have been answered, or may be later.
   */
  ask(to: string, question: string): Promise<Json | undefined> {
    return this.#track(
      new Promise((resolve) => {
        const id = this.#deps.ids.uuid();
        const settle = (answer: Json | undefined): void => {
          this.#asked.delete(id);
          resolve(answer);
        };
        const now = this.#deps.clock.now();
        const asked: Asked = { to, letter: '', isTaken: false, askedAt: now, heardAt: now, settle };
        this.#asked.set(id, asked);
        const from = JSON.stringify(this.#deps.node.facts.id);
        const text = `{"type":"question","id":"${id}","from":${from},"question":${question}}`;
        this.#box.post(to, text, (letter) => (asked.letter = letter));
        this.#watchLater();
      }),
    );
  }

  start(): void {
    this.#box.open();
  }

  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#box.idle();
  }

  /** Declines further questions, and resolves when those in progress are answered, in both directions. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.idle();
    // Nodes that have written meanwhile need not wait until this node is gone.
    await this.#box.collect();
    await this.idle();
    this.#box.close();
    this.#cancelWatch?.();
  }

  #heard(said: Said): void {
    if (said.type === 'question') {
      this.#question(said);
      return;
    }
    const asked = this.#asked.get(said.id);
    if (asked === undefined) return;
    asked.heardAt = this.#deps.clock.now();
    asked.isTaken = true;
    if (said.type === 'answer') {
      this.#patience.took(asked.to, asked.heardAt - asked.askedAt);
      this.#lookouts.said(asked.to, said.looking, asked.askedAt);
      asked.settle(said.answer);
    } else if (said.type === 'declined') asked.settle(undefined);
  }

  /** The caller learns of the store's failure by itself, and need not wait for it twice. */
  #failed(letter: string): void {
    for (const asked of [...this.#asked.values()]) if (asked.letter === letter) asked.settle(undefined);
  }

  #question({ id, from, question }: Said & { readonly type: 'question' }): void {
    // A letter whose sending was repeated may arrive twice.
    if (this.#answering.has(id)) return;
    if (this.#isStopping || this.#answerer === null) {
      this.#box.post(from, JSON.stringify({ type: 'declined', id }));
      return;
    }
    this.#lookouts.questioned();
    this.#answering.set(id, { from, toldAt: this.#deps.clock.now() });
    const answered = this.#answerer(question, from).then((answer) => {
      this.#answering.delete(id);
      this.#box.post(from, `{"type":"answer","id":${JSON.stringify(id)}${this.#looking()},"answer":${answer}}`);
    });
    void this.#track(answered);
    this.#watchLater();
  }

  /** A node that is asked often polls for letters, and announces it. */
  #looking(): string {
    const ms = this.#lookouts.promise();
    if (ms === 0) return '';
    this.#box.lookFor(ms);
    return `,"looking":${String(ms)}`;
  }

  #watchLater(): void {
    this.#cancelWatch ??= this.#deps.timers.after(WATCH_MS, () => void this.#watch(), 'background');
  }

  /** Checks everything that takes longer than usual. */
  async #watch(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const [id, answering] of this.#answering) {
      if (now - answering.toldAt < WORKING_MS) continue;
      answering.toldAt = now;
      this.#box.post(answering.from, JSON.stringify({ type: 'working', id }));
    }
    if (this.#asked.size > 0) {
      // The notification of an answer may have been lost.
      await this.#box.collect();
      await this.#giveUpSome();
    }
    this.#cancelWatch = null;
    if (this.#asked.size > 0 || this.#answering.size > 0) this.#watchLater();
  }

  async #giveUpSome(): Promise<void> {
    const { clock, node } = this.#deps;
    const untaken = new Map<string, Asked[]>();
    for (const asked of [...this.#asked.values()]) {
      const silentMs = clock.now() - asked.heardAt;
      if (silentMs >= SILENT_MS || !node.isAlive(asked.to)) asked.settle(undefined);
      else if (!asked.isTaken && asked.letter !== '' && silentMs >= this.#patience.with(asked.to)) {
        untaken.set(asked.to, [...(untaken.get(asked.to) ?? []), asked]);
      }
    }
    await Promise.all([...untaken].map(([to, all]) => this.#retract(to, all)));
  }

  async #retract(to: string, untaken: readonly Asked[]): Promise<void> {
    const { letters, logger, clock } = this.#deps;
    try {
      const retracted = await letters.retract(to, [...new Set(untaken.map(({ letter }) => letter))]);
      for (const asked of untaken) {
        if (!retracted.has(asked.letter)) asked.isTaken = true;
        else {
          this.#patience.took(to, clock.now() - asked.askedAt);
          asked.settle(undefined);
        }
      }
    } catch (error) {
      logger.debug('Letters to a node that does not take them could not be taken back.', { to, error });
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
    return work;
  }
}
