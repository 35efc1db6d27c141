/**
 * Calls between nodes, as letters in their shared store: a question, and its answer. Delivery is not guaranteed: a
 * question without an answer may have been carried out, and the caller must be able to find out.
 */
import { lruCache } from '../../lru-cache.js';
import type { Clock, Ids, Letters, Logger, Timers } from '../../ports/index.js';
import type { Json } from '../../records/index.js';
import type { BackgroundService } from '../worker.js';
import { Mailbox } from './mailbox.js';
import { PollingNodes } from './polling-nodes.js';
import type { StoreNode } from './store-node.js';

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
interface OutgoingCall {
  readonly to: string;
  /** The id of the letter that carries it; empty before that is sent. */
  letter: string;
  /** Whether the other node has taken the letter. */
  isTaken: boolean;
  readonly askedAt: number;
  lastHeardAt: number;
  readonly settle: (answer: Json | undefined) => void;
}

/** A question of another node that is being answered. */
interface IncomingCall {
  readonly from: string;
  lastReportAt: number;
}

type NodeMessage =
  | { readonly type: 'question'; readonly id: string; readonly from: string; readonly question: Json }
  | { readonly type: 'answer'; readonly id: string; readonly answer: Json; readonly looking?: number }
  /** `working`: the answer takes longer. `declined`: nothing was done, nor will be. */
  | { readonly type: 'working' | 'declined'; readonly id: string };

/** How often a node checks its calls; also the minimum time before a letter that is not taken is retracted. */
const CHECK_MS = 1_000;
/** Interval at which a node reports that it still works on a question, and the silence after which the call fails. */
const REPORT_MS = 3_000;
const SILENCE_TIMEOUT_MS = 10_000;

export class NodeCalls implements BackgroundService {
  readonly #deps: NodeCallsDeps;
  readonly #mailbox: Mailbox;
  readonly #outgoing = new Map<string, OutgoingCall>();
  readonly #incoming = new Map<string, IncomingCall>();
  readonly #takeTimeout: AdaptiveTimeout;
  readonly #pollingNodes: PollingNodes;
  readonly #underWay = new Set<Promise<unknown>>();
  #answerer: Answerer | null = null;
  #isStopping = false;
  #cancelCheck: (() => void) | null = null;

  constructor(deps: NodeCallsDeps) {
    this.#deps = deps;
    const { letters, node, clock, timers, ids, logger } = deps;
    this.#pollingNodes = new PollingNodes(clock);
    const isPolling = (nodeId: string): boolean => this.#pollingNodes.has(nodeId);
    const onMessage = (message: unknown): void => this.#onMessage(message as NodeMessage);
    // Shorter than the lease: a node that takes no letters need not be known to be dead first.
    this.#takeTimeout = new AdaptiveTimeout({ leastMs: CHECK_MS, mostMs: (node.leaseMs * 3) / 4 });
    const onSendFailed = (letter: string): void => this.#onSendFailed(letter);
    const { id: nodeId } = node.facts;
    this.#mailbox = new Mailbox({ letters, nodeId, clock, timers, ids, logger, isPolling, onMessage, onSendFailed });
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
          this.#outgoing.delete(id);
          resolve(answer);
        };
        const now = this.#deps.clock.now();
        const call: OutgoingCall = { to, letter: '', isTaken: false, askedAt: now, lastHeardAt: now, settle };
        this.#outgoing.set(id, call);
        const from = JSON.stringify(this.#deps.node.facts.id);
        const text = `{"type":"question","id":"${id}","from":${from},"question":${question}}`;
        this.#mailbox.post(to, text, (letter) => (call.letter = letter));
        this.#scheduleCheck();
      }),
    );
  }

  start(): void {
    this.#mailbox.open();
  }

  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#mailbox.idle();
  }

  /** Declines further questions, and resolves when those in progress are answered, in both directions. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.idle();
    // Nodes that have written meanwhile need not wait until this node is gone.
    await this.#mailbox.collect();
    await this.idle();
    this.#mailbox.close();
    this.#cancelCheck?.();
  }

  #onMessage(message: NodeMessage): void {
    if (message.type === 'question') {
      this.#onQuestion(message);
      return;
    }
    const call = this.#outgoing.get(message.id);
    if (call === undefined) return;
    call.lastHeardAt = this.#deps.clock.now();
    call.isTaken = true;
    if (message.type === 'answer') {
      this.#takeTimeout.record(call.to, call.lastHeardAt - call.askedAt);
      this.#pollingNodes.update(call.to, message.looking, call.askedAt);
      call.settle(message.answer);
    } else if (message.type === 'declined') call.settle(undefined);
  }

  /** The caller learns of the store's failure by itself, and need not wait for it twice. */
  #onSendFailed(letter: string): void {
    for (const call of [...this.#outgoing.values()]) if (call.letter === letter) call.settle(undefined);
  }

  #onQuestion({ id, from, question }: NodeMessage & { readonly type: 'question' }): void {
    // A letter whose sending was repeated may arrive twice.
    if (this.#incoming.has(id)) return;
    if (this.#isStopping || this.#answerer === null) {
      this.#mailbox.post(from, JSON.stringify({ type: 'declined', id }));
      return;
    }
    this.#pollingNodes.recordQuestion();
    this.#incoming.set(id, { from, lastReportAt: this.#deps.clock.now() });
    const answered = this.#answerer(question, from).then((answer) => {
      this.#incoming.delete(id);
      this.#mailbox.post(
        from,
        `{"type":"answer","id":${JSON.stringify(id)}${this.#pollingNotice()},"answer":${answer}}`,
      );
    });
    void this.#track(answered);
    this.#scheduleCheck();
  }

  /** A node that is asked often polls for letters, and announces it with its answers. */
  #pollingNotice(): string {
    const ms = this.#pollingNodes.pollingMs();
    if (ms === 0) return '';
    this.#mailbox.pollFor(ms);
    return `,"looking":${String(ms)}`;
  }

  #scheduleCheck(): void {
    this.#cancelCheck ??= this.#deps.timers.after(CHECK_MS, () => void this.#check(), 'background');
  }

  /** Checks everything that takes longer than usual. */
  async #check(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const [id, answering] of this.#incoming) {
      if (now - answering.lastReportAt < REPORT_MS) continue;
      answering.lastReportAt = now;
      this.#mailbox.post(answering.from, JSON.stringify({ type: 'working', id }));
    }
    if (this.#outgoing.size > 0) {
      // The notification of an answer may have been lost.
      await this.#mailbox.collect();
      await this.#expireCalls();
    }
    this.#cancelCheck = null;
    if (this.#outgoing.size > 0 || this.#incoming.size > 0) this.#scheduleCheck();
  }

  async #expireCalls(): Promise<void> {
    const { clock, node } = this.#deps;
    const untaken = new Map<string, OutgoingCall[]>();
    for (const call of [...this.#outgoing.values()]) {
      const silentMs = clock.now() - call.lastHeardAt;
      if (silentMs >= SILENCE_TIMEOUT_MS || !node.isAlive(call.to)) call.settle(undefined);
      else if (!call.isTaken && call.letter !== '' && silentMs >= this.#takeTimeout.of(call.to)) {
        untaken.set(call.to, [...(untaken.get(call.to) ?? []), call]);
      }
    }
    await Promise.all([...untaken].map(([to, all]) => this.#retract(to, all)));
  }

  async #retract(to: string, untaken: readonly OutgoingCall[]): Promise<void> {
    const { letters, logger, clock } = this.#deps;
    try {
      const retracted = await letters.retract(to, [...new Set(untaken.map(({ letter }) => letter))]);
      for (const call of untaken) {
        if (!retracted.has(call.letter)) call.isTaken = true;
        else {
          this.#takeTimeout.record(to, clock.now() - call.askedAt);
          call.settle(undefined);
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

interface TimeoutLimits {
  /** Minimum and maximum timeout in milliseconds. */
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Number of recent response times considered, and the multiple of their median that is the timeout. */
const RECENT = 16;
const MEDIAN_FACTOR = 4;
const NODES_AT_MOST = 1_000;

class AdaptiveTimeout {
  readonly #limits: TimeoutLimits;
  readonly #recent = lruCache<number[]>(NODES_AT_MOST);

  constructor(limits: TimeoutLimits) {
    this.#limits = limits;
  }

  /** Records that an answer of the node took `ms` milliseconds, or at least that long. */
  record(node: string, ms: number): void {
    this.#recent.set(node, [...(this.#recent.get(node) ?? []), ms].slice(-RECENT));
  }

  /** The timeout for a node in milliseconds. */
  of(node: string): number {
    const { leastMs, mostMs } = this.#limits;
    const sorted = [...(this.#recent.get(node) ?? [])].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(leastMs, Math.min(mostMs, MEDIAN_FACTOR * median));
  }
}
