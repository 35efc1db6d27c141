/** A run: everything one send sets going, block after block, first in first out, inside one unit of work. */
import type { PolicyUser } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { BlockNode, EventLink } from '../policy/index.js';
import { actorOf } from './event-actor.js';
import type { Ids } from '../ports/index.js';
import { blockStateId, cloneJson } from '../records/index.js';
import type { Json } from '../records/index.js';
import { WritableBlockMemory } from './block-memory.js';
import { RUN, type BlockEvent } from './event.js';
import type { RunContext } from './context.js';
import { PolicyDocumentsWriter } from './policy-documents.js';
import type { OpenPolicy } from './policy-library.js';
import { PolicyMembershipsWriter } from './policy-memberships.js';
import type { UnitOfWork } from './unit-of-work.js';
import { BlockReadContext, Visit, type VisitTools } from './visit.js';

export interface RunTools extends VisitTools {
  readonly ids: Ids;
  readonly limits: RunLimits;
}

export interface RunLimits {
  /** Events in one run. */
  readonly hops: number;
  /** Milliseconds for one run, by the engine's clock. */
  readonly runMs: number;
}

export interface RanBlock {
  readonly tag: string;
  readonly input: string;
  readonly did: string;
}

interface Delivery {
  readonly target: BlockNode;
  readonly actor: EventLink['actor'];
  /** As emitted; who the receiver runs for is worked out on delivery. */
  readonly event: BlockEvent;
}

export class Run {
  /** The blocks that events ran, in order. */
  readonly ran: RanBlock[] = [];
  readonly #queue: Delivery[] = [];
  readonly #way: string[] = [];
  readonly #deadline: number;

  constructor(
    readonly policy: OpenPolicy,
    readonly unit: UnitOfWork,
    readonly tools: RunTools,
    private readonly start: BlockNode,
  ) {
    this.#deadline = tools.clock.now() + tools.limits.runMs;
  }

  visit(user: PolicyUser): Visit {
    return new Visit(this.policy, user, this.unit, this.tools);
  }

  context(block: BlockNode, user: PolicyUser): RunContext {
    return new BlockRunContext(this, this.visit(user), block);
  }

  emit(from: BlockNode, output: string, data: Json, user: PolicyUser): void {
    if (output === RUN) this.complete(from, user);
    for (const { target, input, actor } of from.links.get(output) ?? []) {
      this.#queue.push({ target, actor, event: { input, output, source: from.tag, user, data: cloneJson(data) } });
    }
  }

  raise(from: BlockNode, target: BlockNode, input: string, data: Json, user: PolicyUser): void {
    const event: BlockEvent = { input, output: '', source: from.tag, user, data: cloneJson(data) };
    this.#queue.push({ target, actor: 'initiator', event });
  }

  /** Runs until no event is left. Throws `RUN_TOO_LONG` when the run circles or takes too long. */
  async drain(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      this.#way.push(next.target.tag);
      this.#demandLimits();
      await this.#deliver(next);
    }
  }

  /** Remembers that the block completed, where some other block waits for it. */
  complete(block: BlockNode, user: PolicyUser): void {
    if (!this.policy.tree.dependedOn.has(block)) return;
    const { did, group, key } = user;
    this.unit.put('completion', this.policy.id, { id: blockStateId(block.tag, key), tag: block.tag, did, group });
  }

  async #deliver({ target, actor, event: emitted }: Delivery): Promise<void> {
    const user = await actorOf(actor, emitted, this.policy, this.unit);
    const event = user === emitted.user ? emitted : { ...emitted, user };
    if (event.input === RUN && target.parent !== null) await this.#enter(target.parent, target, event.user);
    const handle = this.visit(event.user).workingType(target).on?.[event.input];
    await handle?.(this.context(target, event.user), event);
    this.ran.push({ tag: target.tag, input: event.input, did: user.did });
  }

  /** Whoever holds the block hears that it is about to run: a step moves to it. */
  async #enter(parent: BlockNode, child: BlockNode, user: PolicyUser): Promise<void> {
    const holder = this.tools.registry.get(parent.blockType);
    if (holder?.onChildRun === undefined || parent.options === null) return;
    await holder.onChildRun(this.context(parent, user), child);
  }

  #demandLimits(): void {
    const { hops, runMs } = this.tools.limits;
    const tooMany = this.#way.length > hops;
    if (!tooMany && this.tools.clock.now() <= this.#deadline) return;
    const limit = tooMany ? `${String(hops)} events` : `${String(runMs)} ms`;
    throw new BlockworkError('RUN_TOO_LONG', {
      facts: { policyId: this.policy.id, tag: this.start.tag, limit, way: circleOf(this.#way) },
    });
  }
}

class BlockRunContext extends BlockReadContext implements RunContext {
  constructor(
    private readonly run: Run,
    visit: Visit,
    block: BlockNode,
  ) {
    super(visit, block);
  }

  get ids(): Ids {
    return this.run.tools.ids;
  }
  override get state(): WritableBlockMemory {
    return new WritableBlockMemory(this.run.unit, this.run.policy.id, this.block.tag, this.user.key);
  }
  override get documents(): PolicyDocumentsWriter {
    return new PolicyDocumentsWriter(this.run.unit, this.run.policy.id, this.run.tools);
  }
  override get memberships(): PolicyMembershipsWriter {
    return new PolicyMembershipsWriter(this.run.unit, this.run.policy.view, this.user, this.run.tools);
  }
  emit(output: string, data: Json = null, user: PolicyUser = this.user): void {
    this.run.emit(this.block, output, data, user);
  }
  raise(target: BlockNode, input: string, data: Json = null): void {
    this.run.raise(this.block, target, input, data, this.user);
  }
}

/** The last blocks of the way, up to where it begins to repeat. */
function circleOf(way: readonly string[]): string {
  const last = way.at(-1) ?? '';
  const before = way.lastIndexOf(last, way.length - 2);
  return way.slice(before < 0 ? -20 : Math.max(before, way.length - 20)).join(' -> ');
}
