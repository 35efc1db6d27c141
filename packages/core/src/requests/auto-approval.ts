/** Approval by a rule that the program supplies; without one, every request waits for a person. */
import { isBlockworkError } from '../errors.js';
import type { Logger, PolicyStore, Timers } from '../ports/index.js';
import { allOf, INSTANCE } from '../records/index.js';
import type { RemoteRequest } from '../records/index.js';
import type { ApprovalService } from './approval-service.js';
import { requestsIn, type CommitListeners } from '../transactions/index.js';
import { isFinalFailure } from './requested-actions.js';

/** Whether the request is approved without a person. Called for each request that comes in, and again after a restart. */
export type ApprovalRule = (request: RemoteRequest) => boolean | Promise<boolean>;

export interface AutoApprovalDeps {
  readonly store: PolicyStore;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly commits: CommitListeners;
  readonly approvals: ApprovalService;
}

/** Milliseconds until an approval that may work later is tried again, at first and at most. */
const RETRY = [200, 30_000] as const;
const BATCH = 100;

export class AutoApproval {
  readonly #under = new Set<Promise<void>>();
  readonly #retries = new Set<() => void>();
  readonly #stopWatching: () => void;
  #isOpen = true;

  constructor(
    private readonly rule: ApprovalRule | null,
    private readonly deps: AutoApprovalDeps,
  ) {
    this.#stopWatching = deps.commits.watch((changeSet) => {
      if (rule !== null) for (const request of requestsIn(changeSet)) this.#consider(request);
    });
  }

  /** Applies the rule to everything that is open, for what came in before a crash. */
  start(): void {
    if (this.rule !== null) this.#track(this.#considerAll());
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#stopWatching();
    for (const cancel of this.#retries) cancel();
    await this.idle();
  }

  /** Resolves when no rule and no approval is under way. */
  async idle(): Promise<void> {
    while (this.#under.size > 0) await Promise.all(this.#under);
  }

  async #considerAll(): Promise<void> {
    const where = allOf({ path: 'status', op: 'eq', value: 'NEW' }, { path: 'direction', op: 'eq', value: 'incoming' });
    try {
      // Looked up before any is approved: an approval takes its row out of what is paged through.
      const ids: string[] = [];
      for (let offset = 0; offset === ids.length; offset += BATCH) {
        const open = await this.deps.store.find('request', INSTANCE, { where, limit: BATCH, offset });
        ids.push(...open.map(({ id }) => id));
      }
      for (const id of ids) {
        const request = await this.deps.store.get('request', INSTANCE, id);
        if (this.#isOpen && request?.status === 'NEW') await this.#apply(request, 1);
      }
    } catch (error) {
      this.deps.logger.warn('Open requests could not be looked up for the rule.', { error });
      this.#later(1, () => this.#track(this.#considerAll()));
    }
  }

  #consider(request: RemoteRequest, attempt = 1): void {
    if (this.#isOpen && request.status === 'NEW' && request.direction === 'incoming')
      this.#track(this.#apply(request, attempt));
  }

  async #apply(request: RemoteRequest, attempt: number): Promise<void> {
    const { messageId } = request;
    try {
      if (this.rule !== null && (await this.rule(request))) await this.deps.approvals.approveByRule(messageId);
    } catch (error) {
      // Closed by somebody else, or as an error, which the other side has been told.
      if (isBlockworkError(error, 'REQUEST_CLOSED') || isFinalFailure(error)) return;
      this.deps.logger.error('A request could not be approved by the rule; it is tried again.', { messageId, error });
      this.#later(attempt, () => this.#consider(request, attempt + 1));
    }
  }

  #later(attempt: number, run: () => void): void {
    if (!this.#isOpen) return;
    const ms = Math.min(RETRY[1], RETRY[0] * 2 ** Math.min(attempt - 1, 20));
    const cancel = this.deps.timers.after(ms, () => {
      this.#retries.delete(cancel);
      run();
    });
    this.#retries.add(cancel);
  }

  #track(task: Promise<void>): void {
    const tracked = task.finally(() => this.#under.delete(tracked));
    this.#under.add(tracked);
  }
}
