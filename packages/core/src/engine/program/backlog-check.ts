/** Queries the backlog, for monitoring. */
import { firstTimers, type StuckWorkSource } from '../../background/index.js';
import type { Clock, Link } from '../../ports/index.js';
import { allOf, equalTo, INSTANCE } from '../../records/index.js';
import type { Backlog } from '../../telemetry/index.js';
import type { Executor, RecordReader } from '../../transactions/index.js';

export interface BacklogDeps {
  readonly store: RecordReader;
  readonly executor: Pick<Executor, 'load'>;
  readonly link: Pick<Link, 'status'>;
  readonly clock: Clock;
  readonly watched: readonly StuckWorkSource[];
}

type Stored = Pick<Backlog, 'outbox' | 'settlements' | 'requests' | 'timers' | 'deadLetters'>;

/** The store is queried at most once in this interval, however many calls there are. */
const FRESH_MS = 1000;
const undecided = allOf(equalTo('status', 'NEW'), equalTo('direction', 'incoming'));

export class BacklogCheck {
  #looked: { readonly at: number; readonly stored: Promise<Stored> } | null = null;

  constructor(private readonly deps: BacklogDeps) {}

  async check(): Promise<Backlog> {
    const { clock, executor, link, watched } = this.deps;
    const now = clock.now();
    if (this.#looked === null || now - this.#looked.at >= FRESH_MS || now < this.#looked.at) {
      this.#looked = { at: now, stored: this.#look(now) };
    }
    const stored = await this.#looked.stored;
    const stuck: Record<string, number> = {};
    for (const { work } of watched.flatMap((each) => each.stuck())) stuck[work] = (stuck[work] ?? 0) + 1;
    return { units: executor.load, ...stored, stuck, isLinkConnected: link.status().isConnected };
  }

  async #look(now: number): Promise<Stored> {
    const { store } = this.deps;
    const [
      messages,
      [oldest],
      settlements,
      open,
      [oldestWaiting],
      {
        timers: [timer],
      },
      deadLetters,
    ] = await Promise.all([
      store.count('outbox', INSTANCE),
      store.find('outbox', INSTANCE, { order: { path: 'createdAt', direction: 'asc' }, limit: 1 }),
      store.count('settlement', INSTANCE),
      store.count('request', INSTANCE, undecided),
      store.find('request', INSTANCE, { where: undecided, order: { path: 'receivedAt', direction: 'asc' }, limit: 1 }),
      firstTimers(store, 1),
      store.count('webhook-dead-letter', INSTANCE),
    ]);
    const since = (at: number | undefined): number => (at === undefined ? 0 : Math.max(0, now - at));
    return {
      outbox: { messages, oldestMs: since(oldest && Date.parse(oldest.createdAt)) },
      settlements,
      requests: { open, oldestMs: since(oldestWaiting && Date.parse(oldestWaiting.receivedAt)) },
      timers: { lateMs: since(timer?.due) },
      deadLetters,
    };
  }
}
