/** What was refused, for the operator: how often for which reason, and the latest ones. */
import { isoNow } from '../../ports/index.js';
import type { Clock, Inspector, Logger } from '../../ports/index.js';
import { refusalReasons, type MessageRefused, type RefusalReason } from './refusal.js';

export interface RefusedMessage {
  readonly at: string;
  readonly reason: RefusalReason;
  readonly detail: string;
  /** Whom it said it was from. */
  readonly instance: string | null;
  /** As the link delivered it. */
  readonly messageId: string;
}

export interface RefusalReport {
  /** Since the engine was made. */
  readonly counts: Readonly<Record<RefusalReason, number>>;
  /** Newest first; repetitions, which every broker makes, are only counted. */
  readonly latest: readonly RefusedMessage[];
}

const KEPT = 100;

export class RefusedMessages {
  readonly #counts = Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<RefusalReason, number>;
  #latest: RefusedMessage[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly inspector: Inspector,
  ) {}

  note(messageId: string, { reason, detail, instance }: MessageRefused): void {
    this.#counts[reason] += 1;
    if (reason !== 'replayed') {
      const refused = { at: isoNow(this.clock), reason, detail, instance, messageId };
      this.#latest = [refused, ...this.#latest].slice(0, KEPT);
      this.logger.warn('A message of another instance was refused.', { ...refused });
    }
    this.inspector({ type: 'message.refused', reason, instance });
  }

  report(): RefusalReport {
    return { counts: { ...this.#counts }, latest: [...this.#latest] };
  }
}
