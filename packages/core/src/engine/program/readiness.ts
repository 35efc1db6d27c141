/** Readiness, for load balancers and operators. */
import type { StuckWork, StuckWorkSource } from '../../background/index.js';
import { isBlockworkError } from '../../errors.js';
import type { Clock, Link, LinkStatus, PolicyStore } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';

export interface Readiness {
  /** Whether the store accepts writes. If not, nothing can be sent. */
  readonly isReady: boolean;
  /** Why the store accepts no writes, for operators: may contain file and host names. */
  readonly reason?: string;
  /** Without the link, policies work, but requests between instances wait. */
  readonly link: LinkStatus;
  /** Background work of a policy, request or message that is failing and being retried; other work is not affected. */
  readonly stuck: readonly StuckWork[];
}

export interface ReadinessDeps {
  readonly store: Pick<PolicyStore, 'commit'>;
  readonly link: Pick<Link, 'status'>;
  readonly clock: Clock;
  readonly watched: readonly StuckWorkSource[];
}

/** The store is probed at most once in this interval, however many calls there are. */
const FRESH_MS = 1000;

export class ReadinessCheck {
  readonly #deps: ReadinessDeps;
  #tried: { readonly at: number; readonly failure: Promise<string | null> } | null = null;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  async check(): Promise<Readiness> {
    const { clock, link, watched } = this.#deps;
    const now = clock.now();
    if (this.#tried === null || now - this.#tried.at >= FRESH_MS || now < this.#tried.at) {
      this.#tried = { at: now, failure: this.#tryStore() };
    }
    const reason = await this.#tried.failure;
    return {
      isReady: reason === null,
      ...(reason === null ? {} : { reason }),
      link: link.status(),
      stuck: watched.flatMap((each) => each.stuck()),
    };
  }

  /**
   * Deleting nonexistent records changes nothing but must be made durable like any write. Databases keep documents in a
   * table of their own.
   */
  async #tryStore(): Promise<string | null> {
    try {
      const absent = (['policy', 'document'] as const).map(
        (kind) => ({ op: 'delete', kind, partition: INSTANCE, id: 'readiness-check' }) as const,
      );
      await this.#deps.store.commit({ expect: {}, changes: absent });
      return null;
    } catch (error) {
      if (isBlockworkError(error)) return error.message;
      throw error;
    }
  }
}
