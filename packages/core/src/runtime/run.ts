/** A run: everything one send sets going, block after block, first in first out, inside one unit of work. */
import type { PolicyUser } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { BlockNode, EventLink } from '../policy/index.js';
import type { Ledger } from '../ports/index.js';
import { blockStateId, cloneJson, INSTANCE } from '../records/index.js';
import type { JournalCause, Json } from '../records/index.js';
import { isBlockFailure, withLocation } from './block-failure.js';
import type { RunContext } from '../block-api/index.js';
import { RUN, type BlockEvent } from '../block-api/index.js';
import { fallBack, isProvidedFor } from './fallback.js';
import { PolicyLedgerWriter } from '../context/index.js';
import type { OpenPolicy } from '../catalog/index.js';
import { PolicyUsers } from '../context/index.js';
import { BlockRunContext } from './run-context.js';
import { journalId, RunLog } from '../context/index.js';
import { revisionKeys } from '../transactions/index.js';
import type { UnitOfWork } from '../transactions/index.js';
import { ReadScope, type ReadScopeDeps } from './read-scope.js';

export interface RunDeps extends ReadScopeDeps {
  readonly limits: RunLimits;
  /** A ledger outside of the process; `null` where the book of the policy is the ledger. */
  readonly externalLedger: Ledger | null;
}

export interface RunLimits {
  /** Events in one run. */
  readonly hops: number;
  /** Milliseconds for one run, by the engine's clock. */
  readonly runMs: number;
  /** Milliseconds between two attempts at least, for a block that is to be tried again. */
  readonly retryMs: number;
  /** Attempts after the first one. */
  readonly retries: number;
}

interface Delivery {
  readonly target: BlockNode;
  readonly actor: EventLink['actor'];
  /** As emitted; who the receiver runs for is worked out on delivery. */
  readonly event: BlockEvent;
  /** How often this has been tried before. */
  readonly attempt: number;
}

export class Run {
  readonly log = new RunLog();
  readonly #queue: Delivery[] = [];
  readonly #way: string[] = [];
  readonly #deadline: number;

  constructor(
    readonly policy: OpenPolicy,
    readonly unit: UnitOfWork,
    readonly deps: RunDeps,
    private readonly start: string,
  ) {
    this.#deadline = deps.clock.now() + deps.limits.runMs;
  }

  scope(user: PolicyUser): ReadScope {
    return new ReadScope(this.policy, user, this.unit, this.deps);
  }

  context(block: BlockNode, user: PolicyUser): RunContext {
    return new BlockRunContext(this, this.scope(user), block);
  }

  ledger(user: PolicyUser): PolicyLedgerWriter {
    const { policy, unit, deps, log } = this;
    const unitKey = `${policy.id}/${journalId(unit.expected(revisionKeys.policy.of(policy.id)))}`;
    const { clock, ids, externalLedger } = deps;
    return new PolicyLedgerWriter(unit, {
      policy: policy.view,
      user,
      unitKey,
      effects: log.effects,
      clock,
      ids,
      externalLedger,
    });
  }

  emit(from: BlockNode, output: string, data: Json, user: PolicyUser, result: Json = null): void {
    if (output === RUN) this.complete(from, user);
    for (const { target, input, actor } of from.links.get(output) ?? []) {
      const copies = { data: cloneJson(data), result: cloneJson(result) };
      this.#queue.push({ target, actor, event: { input, output, source: from.tag, user, ...copies }, attempt: 0 });
    }
  }

  raise(from: BlockNode, target: BlockNode, input: string, data: Json, user: PolicyUser): void {
    const event: BlockEvent = { input, output: '', source: from.tag, user, data: cloneJson(data), result: null };
    this.#queue.push({ target, actor: 'initiator', event, attempt: 0 });
  }

  /** An event that comes from no block of this run: a tick, another attempt. */
  deliverLater(target: BlockNode, event: BlockEvent, attempt = 0): void {
    this.#queue.push({ target, actor: 'initiator', event, attempt });
  }

  /** Runs until no event is left. Throws `RUN_TOO_LONG` when the run circles or takes too long. */
  async drain(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      this.#way.push(next.target.tag);
      this.#demandLimits();
      await this.#deliver(next);
    }
  }

  /** Writes the journal's entry, where the run changed anything or has something to say. */
  record(cause: JournalCause): void {
    if (this.unit.size === 0 && this.log.warnings.length === 0) return;
    const revision = this.unit.expected(revisionKeys.policy.of(this.policy.id));
    const entry = this.log.entry(cause, revision, this.deps.clock);
    this.unit.put('journal', this.policy.id, entry);
  }

  /** Remembers that the block completed, where some other block waits for it. */
  complete(block: BlockNode, user: PolicyUser): void {
    if (!this.policy.tree.dependedOn.has(block)) return;
    const { did, group, key } = user;
    this.unit.put('completion', this.policy.id, { id: blockStateId(block.tag, key), tag: block.tag, did, group });
  }

  /** Whoever holds the block hears that it is about to run: a step moves to it. Resolves with whether there is somebody. */
  async enter(parent: BlockNode, child: BlockNode, user: PolicyUser): Promise<boolean> {
    const holder = this.deps.registry.get(parent.blockType);
    if (holder?.onChildRun === undefined || parent.options === null) return false;
    await holder.onChildRun(this.context(parent, user), child);
    return true;
  }

  /** Puts the event on the schedule, to be tried again. Past the last attempt it is given up. */
  retryLater(block: BlockNode, event: BlockEvent, attempt: number, timeoutMs: number): void {
    const { retries, retryMs } = this.deps.limits;
    if (attempt >= retries) {
      const message = `Given up after ${String(retries + 1)} attempts.`;
      this.log.warnings.push({ tag: block.tag, code: 'GIVEN_UP', message });
      return;
    }
    const { input, output, source, data, user } = event;
    this.unit.put('timer', INSTANCE, {
      id: `${this.policy.id}/retry/${this.deps.ids.uuid()}`,
      type: 'retry',
      policyId: this.policy.id,
      due: this.deps.clock.now() + Math.max(timeoutMs, retryMs),
      tag: block.tag,
      attempt: attempt + 1,
      event: { input, output, source, data, user: { did: user.did, group: user.group } },
    });
  }

  async #deliver({ target, actor, event: emitted, attempt }: Delivery): Promise<void> {
    const user = await this.#actorOf(actor, emitted);
    const event = user === emitted.user ? emitted : { ...emitted, user };
    const { source, output, input } = event;
    this.log.events.push({ source, output, target: target.tag, input, did: user.did });
    if (!isProvidedFor(target)) return this.#handle(target, event);
    const point = { unit: this.unit.savepoint(), log: this.log.point(), queue: this.#queue.length };
    try {
      await this.#handle(target, event);
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
      const handle = this.scope(event.user).workingType(target).on?.[event.input];
      await handle?.(this.context(target, event.user), event);
    } catch (error) {
      throw withLocation(this.policy.id, target, error);
    }
  }

  #actorOf(actor: EventLink['actor'], { user, data }: BlockEvent): PolicyUser | Promise<PolicyUser> {
    if (actor === 'initiator') return user;
    return new PolicyUsers(this.unit, this.policy, user, this.deps.accounts).actor(actor, data);
  }

  #demandLimits(): void {
    const { hops, runMs } = this.deps.limits;
    const tooMany = this.#way.length > hops;
    if (!tooMany && this.deps.clock.now() <= this.#deadline) return;
    const limit = tooMany ? `${String(hops)} events` : `${String(runMs)} ms`;
    throw new BlockworkError('RUN_TOO_LONG', {
      facts: { policyId: this.policy.id, tag: this.start, limit, way: circleOf(this.#way) },
    });
  }
}

/** The last blocks of the way, up to where it begins to repeat. */
function circleOf(way: readonly string[]): string {
  const last = way.at(-1) ?? '';
  const before = way.lastIndexOf(last, way.length - 2);
  return way.slice(before < 0 ? -20 : Math.max(before, way.length - 20)).join(' -> ');
}
