/**
 * Refused messages, for the operator: counts by reason, and the latest ones. All processes that share the store write
 * to one record, at most once a second each, so that a sender of refused messages cannot overload the store.
 */
import { Worker, type BackgroundService } from '../../background/index.js';
import { isoNow } from '../../ports/index.js';
import type { Clock, Logger, PolicyStore, Timers } from '../../ports/index.js';
import { INSTANCE, type Refusals } from '../../records/index.js';
import type { Inspections } from '../../telemetry/index.js';
import { lanes, revisionKeys, type Executor } from '../../transactions/index.js';
import { refusalReasons, type MessageRefused, type RefusalReason } from './refusal.js';

export interface RefusedMessage {
  readonly at: string;
  readonly reason: RefusalReason;
  readonly detail: string;
  /** The claimed sender. */
  readonly instance: string | null;
  /** As delivered by the link. */
  readonly messageId: string;
}

export interface RefusalReport {
  /**
   * Counts since the store was created, over all processes that share it; refusals of other processes in the last
   * second may be missing.
   */
  readonly counts: Readonly<Record<RefusalReason, number>>;
  /** Newest first; redeliveries, which every broker makes, are only counted. */
  readonly latest: readonly RefusedMessage[];
}

export interface RefusedMessagesDeps {
  readonly store: Pick<PolicyStore, 'get'>;
  readonly executor: Pick<Executor, 'run'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspections: Inspections;
}

type Counts = Readonly<Record<RefusalReason, number>>;

interface Seen {
  readonly counts: Counts;
  readonly latest: readonly RefusedMessage[];
}

const LATEST_AT_MOST = 100;
/** Maximum length of the detail, which a stranger may make long. */
const DETAIL_CHARACTERS = 500;
const SAVE_AFTER_MS = 1_000;
const backoff = { firstMs: 1_000, longestMs: 30_000 };
const ID = 'messages';

const nothing: Seen = {
  counts: Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<RefusalReason, number>,
  latest: [],
};

export class RefusedMessages implements BackgroundService {
  readonly #saving: Worker;
  /** Refusals not yet stored. */
  #pending = nothing;
  /** Incremented when a save begins and when it ends. */
  #saves = 0;

  constructor(private readonly deps: RefusedMessagesDeps) {
    const run = async (): Promise<null> => {
      await this.#save();
      return null;
    };
    this.#saving = new Worker({ name: 'refused messages', backoff, run }, deps);
  }

  note(messageId: string, { reason, detail, instance }: MessageRefused): void {
    const { clock, logger, inspections } = this.deps;
    const refused = { at: isoNow(clock), reason, detail: detail.slice(0, DETAIL_CHARACTERS), instance, messageId };
    const isShown = reason !== 'replayed';
    this.#pending = merge(
      { counts: { ...nothing.counts, [reason]: 1 }, latest: isShown ? [refused] : [] },
      this.#pending,
    );
    this.#saving.wakeAt(clock.now() + SAVE_AFTER_MS);
    if (isShown) logger.warn('A message of another instance was refused.', { ...refused });
    inspections.publish({ type: 'message.refused', reason, instance });
  }

  async report(): Promise<RefusalReport> {
    for (;;) {
      // Refusals saved during the read would be counted twice, or not at all.
      await this.#saving.idle();
      const saves = this.#saves;
      const stored = seenIn(await this.deps.store.get('refusals', INSTANCE, ID));
      if (saves === this.#saves) return merge(this.#pending, stored);
    }
  }

  /** Nothing to do before the first refusal. */
  start(): void {
    // Woken by `note`.
  }

  idle(): Promise<void> {
    return this.#saving.idle();
  }

  /** Without retries: only counts are lost. */
  async stop(): Promise<void> {
    await this.#saving.stop();
    await this.#save().catch(() => undefined);
  }

  async #save(): Promise<void> {
    if (this.#pending === nothing) return;
    const written = this.#pending;
    this.#pending = nothing;
    this.#saves += 1;
    try {
      await this.deps.executor.run(lanes.refusals.of(), [revisionKeys.refusals.of()], async (unit) => {
        const { counts, latest } = merge(written, seenIn(await unit.get('refusals', INSTANCE, ID)));
        unit.put('refusals', INSTANCE, { id: ID, counts: { ...counts }, latest: [...latest] });
      });
    } catch (error) {
      this.#pending = merge(this.#pending, written);
      throw error;
    } finally {
      this.#saves += 1;
    }
  }
}

/** The record may have been written by a version that knows other reasons. */
const seenIn = (refusals: Refusals | undefined): Seen =>
  refusals === undefined
    ? nothing
    : { counts: { ...nothing.counts, ...refusals.counts }, latest: refusals.latest as readonly RefusedMessage[] };

function merge(newer: Seen, older: Seen): Seen {
  const counts = { ...older.counts };
  for (const reason of refusalReasons) counts[reason] += newer.counts[reason];
  return { counts, latest: [...newer.latest, ...older.latest].slice(0, LATEST_AT_MOST) };
}
