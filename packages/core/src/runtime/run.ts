/** A run: all events that follow from one send, delivered first in, first out, in one unit of work. */
import { createHash } from 'node:crypto';
import type { PolicyUser } from '../access/index.js';
import { type BlockEvent, ERROR, RUN, type RunContext } from '../block-api/index.js';
import type { OpenPolicy } from '../catalog/index.js';
import {
  type DocumentUsage,
  journalId,
  type PeerAnnouncer,
  PolicyLedgerWriter,
  PolicyUsers,
  RunLog,
} from '../context/index.js';
import { isBlockworkError } from '../errors.js';
import type { BlockNode, EventLink } from '../policy/index.js';
import type { Change, Ledger, Secrets, Timers } from '../ports/index.js';
import { blockStateId, cloneJson, INSTANCE, type JournalCause, type Json, type PolicyTopic } from '../records/index.js';
import { shownMessage } from '../shown-text.js';
import { revisionKeys, type UnitOfWork } from '../transactions/index.js';
import { isBlockFailure, withLocation } from '../block-api/index.js';
import { ReadScope, type ReadScopeDeps } from './read-scope.js';
import { type BesideData, BlockRunContext, type ContextRun } from './run-context.js';
import { type BudgetLimits, UnitBudget } from './unit-budget.js';

export interface RunDeps extends ReadScopeDeps {
  readonly limits: RunLimits;
  readonly secrets: Secrets;
  readonly timers: Timers;
  /** `null` if the policy's book is its only ledger. */
  readonly externalLedger: Ledger | null;
  readonly usage: DocumentUsage;
  readonly peerAnnouncer: PeerAnnouncer;
}

export interface RunLimits extends BudgetLimits {
  /** Maximum duration of a read in milliseconds. */
  readonly readMs: number;
  /** Minimum delay before a retry, in milliseconds. */
  readonly retryMs: number;
  /** Attempts after the first one. */
  readonly retries: number;
  /** Bytes of one document, and of the documents in one answer. */
  readonly documentBytes: number;
  readonly pageBytes: number;
  /** Maximum number of notifications in a user's inbox. */
  readonly notifications: number;
}

interface Delivery {
  readonly target: BlockNode;
  readonly actor: EventLink['actor'];
  /** As emitted. The receiver's user is resolved on delivery. */
  readonly event: BlockEvent;
  /** Number of earlier attempts. */
  readonly attempt: number;
}

export class Run implements ContextRun, FailingRun {
  readonly log = new RunLog();
  readonly #queue: Delivery[] = [];
  readonly budget: UnitBudget;
  #isRecorded = false;

  constructor(
    readonly policy: OpenPolicy,
    readonly unit: UnitOfWork,
    readonly deps: RunDeps,
    start: string,
  ) {
    unit.origin ??= start;
    this.budget = new UnitBudget(deps, { policyId: policy.id, tag: start });
  }

  /** Whether the run has ended: no further event is delivered, and nothing more is written. */
  get hasEnded(): boolean {
    return this.#isRecorded || this.budget.isOver || this.unit.isOver;
  }

  scope(user: PolicyUser): ReadScope {
    return new ReadScope(this.policy, user, this.unit, this.deps);
  }

  context(block: BlockNode, user: PolicyUser, carried: Json = null): RunContext {
    return new BlockRunContext(this, this.scope(user), block, carried);
  }

  /** `more`: topics besides those of the policy's file. */
  ledger(user: PolicyUser, more: readonly PolicyTopic[] = []): PolicyLedgerWriter {
    const { policy, unit, deps, log } = this;
    const unitKey = `${policy.id}/${journalId(unit.expected(revisionKeys.policy.of(policy.id)))}${historyMark(unit)}`;
    const { clock, ids, externalLedger } = deps;
    return new PolicyLedgerWriter(unit, {
      policy: more.length === 0 ? policy.view : { ...policy.view, topics: [...policy.view.topics, ...more] },
      user,
      unitKey,
      effects: log.effects,
      clock,
      ids,
      externalLedger,
    });
  }

  emit(from: BlockNode, output: string, data: Json, user: PolicyUser, beside: BesideData = {}): void {
    const { result = null, carried = null } = beside;
    if (output === RUN) this.complete(from, user);
    this.budget.assertShallow(data, result, carried);
    for (const { target, input, actor } of from.links.get(output) ?? []) {
      const copies = { data: cloneJson(data), result: cloneJson(result), carried: cloneJson(carried) };
      this.#queue.push({ target, actor, event: { input, output, source: from.tag, user, ...copies }, attempt: 0 });
    }
  }

  raise(
    from: BlockNode,
    target: BlockNode,
    input: string,
    data: Json,
    user: PolicyUser,
    { carried = null }: BesideData = {},
  ): void {
    this.budget.assertShallow(data, carried);
    const copies = { data: cloneJson(data), result: null, carried: cloneJson(carried) };
    const event: BlockEvent = { input, output: '', source: from.tag, user, ...copies };
    this.#queue.push({ target, actor: 'initiator', event, attempt: 0 });
  }

  /** Queues an event from outside this run: a tick or a retry. */
  deliverLater(target: BlockNode, event: BlockEvent, attempt = 0): void {
    this.#queue.push({ target, actor: 'initiator', event, attempt });
  }

  /** Runs until the queue is empty. Throws `RUN_TOO_LONG` beyond the limit on events or time. */
  async drain(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await this.budget.hop(next.target.tag);
      await this.#deliver(next);
    }
  }

  /**
   * Ends the run, and writes the journal entry, unless the run has no warnings and changed only timers and view state.
   */
  record(cause: JournalCause): void {
    this.#isRecorded = true;
    if (!this.#isHistory() && this.log.warnings.length === 0) return;
    const revision = this.unit.expected(revisionKeys.policy.of(this.policy.id));
    const entry = this.log.entry(cause, revision, this.deps.clock, this.unit.traceparent);
    this.unit.putOwned('journal', this.policy.id, entry);
  }

  #isHistory(): boolean {
    for (const change of this.unit.changes) if (this.#concernsHistory(change)) return true;
    return false;
  }

  #concernsHistory(change: Change): boolean {
    if (change.kind === 'timer') return false;
    if (change.kind !== 'block-state' || change.op === 'delete') return true;
    const block = this.policy.tree.byTag.get(change.value.tag);
    return block === undefined || this.deps.registry.get(block.blockType)?.viewState !== true;
  }

  /** Records the completion of the block if another block depends on it. */
  complete(block: BlockNode, user: PolicyUser): void {
    if (!this.policy.tree.dependedOn.has(block)) return;
    const { did, group, key } = user;
    this.unit.put('completion', this.policy.id, { id: blockStateId(block.tag, key), tag: block.tag, did, group });
  }

  /** Notifies the parent that a child is about to run. Resolves to false if the parent has no `onChildRun`. */
  async enter(parent: BlockNode, child: BlockNode, user: PolicyUser): Promise<boolean> {
    const type = this.deps.registry.get(parent.blockType);
    if (type?.onChildRun === undefined || parent.options === null) return false;
    await type.onChildRun(this.context(parent, user), child);
    return true;
  }

  /** Schedules a retry, or gives up after the last attempt. */
  retryLater(block: BlockNode, event: BlockEvent, attempt: number, timeoutMs: number): void {
    const { retries, retryMs } = this.deps.limits;
    if (attempt >= retries) {
      const message = `Given up after ${String(retries + 1)} attempts.`;
      this.log.warnings.push({ tag: block.tag, code: 'GIVEN_UP', message });
      return;
    }
    const { input, output, source, data, user, carried } = event;
    this.unit.put('timer', INSTANCE, {
      id: `${this.policy.id}/retry/${this.deps.ids.uuid()}`,
      type: 'retry',
      policyId: this.policy.id,
      due: this.deps.clock.now() + Math.max(timeoutMs, retryMs),
      tag: block.tag,
      attempt: attempt + 1,
      event: {
        input,
        output,
        source,
        data,
        user: { did: user.did, group: user.group },
        ...(carried !== null && { carried }),
      },
    });
  }

  async #deliver({ target, actor, event: emitted, attempt }: Delivery): Promise<void> {
    const user = await this.#actorOf(actor, emitted);
    const event = user === emitted.user ? emitted : { ...emitted, user };
    const { source, output, input } = event;
    this.log.events.push({ did: user.did, input, output, source, target: target.tag });
    if (!isProvidedFor(target)) return this.#handle(target, event);
    const point = { unit: this.unit.savepoint(), log: this.log.point(), queue: this.#queue.length };
    try {
      // A copy: after a failure the original event is redelivered or passed on.
      await this.#handle(target, { ...event, data: cloneJson(event.data), result: cloneJson(event.result) });
    } catch (error) {
      if (!isBlockFailure(error)) throw error;
      this.unit.rollBack(point.unit);
      this.log.returnTo(point.log);
      this.#queue.length = point.queue;
      await fallBack(this, target, event, error, attempt);
    }
  }

  async #handle(target: BlockNode, event: BlockEvent): Promise<void> {
    try {
      if (event.input === RUN && target.parent !== null) await this.enter(target.parent, target, event.user);
      const scope = this.scope(event.user);
      const type = scope.workingType(target);
      const handle = type.on?.[event.input];
      const ctx = new BlockRunContext(this, scope, target, event.carried);
      await (handle === undefined ? type.onPort?.(ctx, event) : handle(ctx, event));
    } catch (error) {
      throw withLocation(this.policy.id, target, error);
    }
  }

  #actorOf(actor: EventLink['actor'], { user, data }: BlockEvent): PolicyUser | Promise<PolicyUser> {
    if (actor === 'initiator') return user;
    return new PolicyUsers(this.unit, this.policy, user, this.deps.accounts).actor(actor, data);
  }
}

/** The parts of a run needed to handle a failure. */
interface FailingRun {
  readonly log: RunLog;
  emit(from: BlockNode, output: string, data: Json, user: PolicyUser, beside?: Pick<BlockEvent, 'carried'>): void;
  enter(parent: BlockNode, child: BlockNode, user: PolicyUser): Promise<boolean>;
  retryLater(block: BlockNode, event: BlockEvent, attempt: number, timeoutMs: number): void;
}

/** Whether a failure of this block is handled rather than failing the whole run. */
const isProvidedFor = (block: BlockNode): boolean =>
  block.onError.action !== 'no-action' || (block.links.get(ERROR)?.length ?? 0) > 0;

/**
 * Applies the block's error action, after its own changes have been rolled back. Rethrows `error` if the action is
 * impossible, for instance if there is no such step.
 */
async function fallBack(
  run: FailingRun,
  block: BlockNode,
  event: BlockEvent,
  error: unknown,
  attempt: number,
): Promise<void> {
  const { onError } = block;
  const handled = (block.links.get(ERROR)?.length ?? 0) > 0;
  if (handled) run.emit(block, ERROR, event.data, event.user, { carried: event.carried });
  if (onError.action === 'retry') {
    run.retryLater(block, event, attempt, onError.timeoutMs);
  } else if (onError.action !== 'no-action') {
    const next = stepAfterFailure(block);
    const moved = next !== undefined && (await run.enter(next.parent, next.child, event.user));
    if (!moved && !handled) throw error;
  }
  const code = isBlockworkError(error) ? error.code : 'INTERNAL';
  const message = shownMessage(error);
  const action = onError.action === 'no-action' ? ERROR : onError.action;
  run.log.warnings.push({ tag: block.tag, code, message, action });
}

function stepAfterFailure({ parent, onError }: BlockNode): { parent: BlockNode; child: BlockNode } | undefined {
  if (parent === null) return undefined;
  const child =
    onError.action === 'goto-step'
      ? parent.children[onError.step]
      : parent.children.find(({ tag }) => onError.action === 'goto-tag' && tag === onError.tag);
  return child && { parent, child };
}

/** Keeps the keys of two histories apart, because the same revisions may exist in both, and ledgers settle a key once. */
const historyMark = ({ history }: UnitOfWork): string =>
  history === undefined ? '' : `.${createHash('sha256').update(history).digest('hex').slice(0, 12)}`;
