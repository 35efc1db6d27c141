/** The context of a block during a run: its read context plus its writes to the unit of work. */
import type { PolicyUser } from '../access/index.js';
import { declaredOutputs, standardOutputs, type BlockNode } from '../policy/index.js';
import type { Ids, Secrets } from '../ports/index.js';
import { asJson, type Json, type JsonObject } from '../records/index.js';
import type { UnitOfWork } from '../transactions/index.js';
import type { BlockEvent, EmitOptions, EventData, RunContext, WorkBudget } from '../block-api/index.js';
import type { OpenPolicy } from '../catalog/index.js';
import {
  PolicyCredentialsWriter,
  PolicyDefinitions,
  PolicyDocumentsWriter,
  PolicyMembershipsWriter,
  PolicyNotifications,
  PolicySecrets,
  PolicyStreams,
  WritableBlockEntries,
  WritableBlockMemory,
  type DocumentWriterDeps,
  type NotificationDeps,
  type PolicyLedgerWriter,
  type RunLog,
  type StreamDeps,
} from '../context/index.js';
import type { UnitBudget } from './unit-budget.js';
import { BlockReadContext, type ReadScope, type ReadScopeDeps } from './read-scope.js';

/** The parts of an event besides its data: see `BlockEvent`. */
export type BesideData = Partial<Pick<BlockEvent, 'result' | 'carried'>>;

/** The run that a context belongs to. */
export interface ContextRun {
  readonly policy: OpenPolicy;
  readonly unit: UnitOfWork;
  readonly deps: ReadScopeDeps & NotificationDeps & DocumentWriterDeps & StreamDeps & { readonly secrets: Secrets };
  readonly log: RunLog;
  readonly hasEnded: boolean;
  readonly budget: UnitBudget;
  context(block: BlockNode, user: PolicyUser, carried?: Json): RunContext;
  ledger(user: PolicyUser): PolicyLedgerWriter;
  emit(from: BlockNode, output: string, data: Json, user: PolicyUser, beside?: BesideData): void;
  raise(from: BlockNode, target: BlockNode, input: string, data: Json, user: PolicyUser, beside?: BesideData): void;
}

export class BlockRunContext extends BlockReadContext implements RunContext {
  #credentials: PolicyCredentialsWriter | undefined;
  #ledger: PolicyLedgerWriter | undefined;

  constructor(
    private readonly run: ContextRun,
    scope: ReadScope,
    block: BlockNode,
    /** Carried along with the event that the block handles. */
    private readonly carried: Json = null,
  ) {
    super(scope, block);
  }

  get notifications(): PolicyNotifications {
    return new PolicyNotifications(this.#ongoing.unit, this.#ongoing.policy.view, this.#ongoing.deps);
  }
  get secrets(): PolicySecrets {
    const { policy, deps } = this.#ongoing;
    const use = { policyId: policy.id, owner: policy.record.owner, tag: this.block.tag };
    return new PolicySecrets(deps.secrets, use);
  }
  get streams(): PolicyStreams {
    return new PolicyStreams(this.#ongoing.unit, this.#ongoing.policy.view, this.#ongoing.deps);
  }
  get budget(): WorkBudget {
    return this.#ongoing.budget;
  }
  get ids(): Ids {
    return this.run.deps.ids;
  }
  get traceparent(): string | undefined {
    return this.run.unit.traceparent;
  }
  override get state(): WritableBlockMemory {
    return new WritableBlockMemory(this.#ongoing.unit, this.#ongoing.policy.id, this.block.tag, this.user.key);
  }
  override get documents(): PolicyDocumentsWriter {
    return new PolicyDocumentsWriter(
      this.#ongoing.unit,
      this.#ongoing.policy.id,
      this.#ongoing.deps,
      this.#ongoing.log,
      this.#ongoing.budget,
    );
  }
  override get memberships(): PolicyMembershipsWriter {
    return new PolicyMembershipsWriter(this.#ongoing.unit, this.#ongoing.policy.view, this.user, this.#ongoing.deps);
  }
  override get entries(): WritableBlockEntries {
    return new WritableBlockEntries(this.#ongoing.unit, this.#ongoing.policy.id, this.block.tag);
  }
  override get credentials(): PolicyCredentialsWriter {
    const { unit, deps, budget, policy } = this.#ongoing;
    return (this.#credentials ??= new PolicyCredentialsWriter(unit, deps, budget, new PolicyDefinitions(unit, policy)));
  }
  override get ledger(): PolicyLedgerWriter {
    const run = this.#ongoing;
    return (this.#ledger ??= run.ledger(this.user));
  }

  emit(output: string, data: EventData = null, options: EmitOptions = {}): void {
    this.#assertDeclared(output);
    const { user = this.user, result = null, carried = this.carried } = options;
    this.#ongoing.emit(this.block, output, asJson(data), user, { result: asJson(result), carried });
  }
  raise(target: BlockNode, input: string, data: EventData = null, { user = this.user }: EmitOptions = {}): void {
    this.#ongoing.raise(this.block, target, input, asJson(data), user, { carried: this.carried });
  }
  async assist(child: BlockNode, input: Json): Promise<Json | undefined> {
    const run = this.#ongoing;
    return this.scope.workingType(child).assist?.(run.context(child, this.user, this.carried), input);
  }
  once<T extends Json>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#ongoing.unit.once(`${this.block.tag}/${key}`, work);
  }
  warn(message: string, facts?: JsonObject): void {
    this.#ongoing.log.warnings.push({ tag: this.block.tag, code: 'WARNING', message, ...(facts && { facts }) });
  }

  /** The run, for everything that has an effect. Throws `RUN_ENDED`. */
  get #ongoing(): ContextRun {
    if (!this.run.hasEnded) return this.run;
    const { tag, blockType } = this.block;
    return this.fail('RUN_ENDED', { facts: { what: `Block "${tag}" (${blockType})` } });
  }

  #assertDeclared(output: string): void {
    const standard: readonly string[] = standardOutputs;
    if (standard.includes(output)) return;
    const declared = declaredOutputs(this.block);
    if (declared === 'any' || declared.includes(output)) return;
    this.fail('OUTPUT_UNDECLARED', {
      facts: { output, declared: [...new Set([...standard, ...declared])].join(', ') },
    });
  }
}
