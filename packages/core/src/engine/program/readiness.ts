/** Whether the engine can do its work now: for load balancers, and for the operator. */
import type { StuckWork, Watched } from '../../background/index.js';
import { isBlockworkError } from '../../errors.js';
import type { Clock, Link, LinkStatus, PolicyStore } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';

export interface Readiness {
  /** Whether the store takes changes. Without it nothing can be sent. */
  readonly isReady: boolean;
  /** Why the store takes no changes. For the operator: it may name files and hosts. */
  readonly reason?: string;
  /** Without the link policies work, and requests between instances wait. */
  readonly link: LinkStatus;
  /** Background work that fails for a policy, a request or a message, and is retried; all else goes ahead. */
  readonly stuck: readonly StuckWork[];
}

export interface ReadinessDeps {
  readonly store: Pick<PolicyStore, 'commit'>;
  readonly link: Pick<Link, 'status'>;
  readonly clock: Clock;
  readonly watched: readonly Watched[];
}

/** The store is probed at most once in this time, however many calls there are. */
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

  /** Removing what does not exist changes nothing, and has to be made durable as every other change. */
  async #tryStore(): Promise<string | null> {
    try {
      const absent = { op: 'delete', kind: 'policy', partition: INSTANCE, id: 'readiness-check' } as const;
      await this.#deps.store.commit({ expect: {}, changes: [absent] });
      return null;
    } catch (error) {
      if (isBlockworkError(error)) return error.message;
      throw error;
    }
  }
}
