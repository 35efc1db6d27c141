/** A scope: one user reading one policy, for the duration of one read or one step of a run. */
import {
  availability,
  availabilityInParent,
  type ActivityReader,
  type Availability,
  type PolicyUser,
} from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { BlockNode } from '../policy/index.js';
import type { Accounts, Clock, DidMethod, Ids, Keys } from '../ports/index.js';
import { equalTo } from '../records/index.js';
import type { Condition, Json } from '../records/index.js';
import { BlockEntries } from '../context/index.js';
import { BlockMemory } from '../context/index.js';
import type { BlockType } from '../block-api/index.js';
import { documentRow, offeredRow } from '../block-kit/index.js';
import type { BlockRegistry } from '../catalog/index.js';
import { fail } from '../block-api/index.js';
import type { BlockHandle, ReadContext } from '../block-api/index.js';
import { LoopShare } from '../loop-share.js';
import { PolicyCredentials, type Proofs } from '../context/index.js';
import { PolicyDefinitions } from '../context/index.js';
import { PolicyDocuments } from '../context/index.js';
import { PolicyLedger } from '../context/index.js';
import type { OpenPolicy, RowTexts } from '../catalog/index.js';
import { PolicyMemberships } from '../context/index.js';
import { PolicyUsers } from '../context/index.js';
import type { DocumentRange, DocumentRow, Selection } from '../block-api/index.js';
import type { RecordReader } from '../transactions/index.js';

/** Of the bytes of an answer, the share of its documents: the rest is for what a grid adds to each row. */
const ROWS_SHARE = 3 / 4;

export interface ReadScopeDeps {
  readonly registry: BlockRegistry;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keys: Keys;
  readonly proofs: Proofs;
  /** `null`: identities that the engine makes are `did:key`. */
  readonly didMethod: DidMethod | null;
  readonly accounts: Accounts;
  readonly limits: { readonly pageBytes: number };
}

export class ReadScope implements ActivityReader {
  #pure = true;

  constructor(
    readonly policy: OpenPolicy,
    readonly user: PolicyUser,
    readonly records: RecordReader,
    readonly deps: ReadScopeDeps,
    readonly query: Readonly<Record<string, string>> = {},
    /** Row texts, for an answer that is serialized. */
    readonly rows: RowTexts | null = null,
  ) {}

  /** Whether everything so far was computed from the policy's records alone. */
  get pure(): boolean {
    return this.#pure;
  }

  /** The time, which no record contains. */
  get clock(): Clock {
    this.#pure = false;
    return this.deps.clock;
  }

  availability(block: BlockNode): Promise<Availability> {
    return availability(block, this.user, this);
  }

  decides(parent: BlockNode): boolean {
    return this.typeOf(parent)?.isOpen !== undefined;
  }

  /** A container with invalid options cannot say which child is open, so none is. */
  async isOpenIn(parent: BlockNode, child: BlockNode): Promise<boolean> {
    if (!this.decides(parent)) return true;
    if (parent.options === null) return false;
    return (await this.typeOf(parent)?.isOpen?.(this.context(parent), child)) !== false;
  }

  async hasCompleted(block: BlockNode): Promise<boolean> {
    const { did, group } = this.user;
    const mine: Condition = equalTo('did', did);
    const ours: Condition = equalTo('group', group);
    const who: Condition = group === null ? mine : { any: [mine, ours] };
    const where: Condition = { all: [equalTo('tag', block.tag), who] };
    return (await this.records.count('completion', this.policy.id, where)) > 0;
  }

  typeOf(block: BlockNode): BlockType | undefined {
    return this.deps.registry.get(block.blockType);
  }

  /** The block's type, ready to work: throws if the engine does not know it, or its options are invalid. */
  workingType(block: BlockNode): BlockType {
    const type = this.typeOf(block);
    if (type === undefined) this.#refuse('BLOCK_TYPE_UNKNOWN', block, '');
    if (block.optionsError !== '') this.#refuse('BLOCK_MISCONFIGURED', block, block.optionsError);
    return type;
  }

  context(block: BlockNode): ReadContext {
    this.#pure &&= this.typeOf(block)?.pure ?? false;
    return new BlockReadContext(this, block);
  }

  #refuse(code: 'BLOCK_TYPE_UNKNOWN' | 'BLOCK_MISCONFIGURED', block: BlockNode, reason: string): never {
    const { tag, blockType } = block;
    throw new BlockworkError(code, { facts: { policyId: this.policy.id, tag, blockType, reason } });
  }
}

/** The context of a block's read. Members are created on first access: most reads need few of them. */
export class BlockReadContext implements ReadContext {
  #children: readonly BlockHandle[] | undefined;

  constructor(
    protected readonly scope: ReadScope,
    readonly block: BlockNode,
  ) {}

  get policy(): ReadContext['policy'] {
    return this.scope.policy.view;
  }
  get options(): unknown {
    return this.block.options;
  }
  get user(): PolicyUser {
    return this.scope.user;
  }
  get query(): Readonly<Record<string, string>> {
    return this.scope.query;
  }
  get clock(): Clock {
    return this.scope.clock;
  }
  get parent(): BlockHandle | null {
    return this.block.parent === null ? null : this.blockHandle(this.block.parent);
  }
  get children(): readonly BlockHandle[] {
    return (this.#children ??= this.block.children.map((child) => this.blockHandle(child)));
  }
  blockHandle(block: BlockNode): BlockHandle {
    return new ScopedBlockHandle(this.scope, block);
  }
  get state(): BlockMemory {
    return new BlockMemory(this.scope.records, this.scope.policy.id, this.block.tag, this.scope.user.key);
  }
  get documents(): PolicyDocuments {
    const { records, policy, deps } = this.scope;
    return new PolicyDocuments(records, policy.id, Math.floor(deps.limits.pageBytes * ROWS_SHARE));
  }
  get memberships(): PolicyMemberships {
    return new PolicyMemberships(this.scope.records, this.scope.policy.view, this.scope.user);
  }
  get definitions(): PolicyDefinitions {
    return new PolicyDefinitions(this.scope.records, this.scope.policy);
  }
  get entries(): BlockEntries {
    return new BlockEntries(this.scope.records, this.scope.policy.id, this.block.tag);
  }
  get users(): PolicyUsers {
    return new PolicyUsers(this.scope.records, this.scope.policy, this.scope.user, this.scope.deps.accounts);
  }
  get ledger(): PolicyLedger {
    return new PolicyLedger(this.scope.records, this.scope.policy.id);
  }
  get credentials(): PolicyCredentials {
    const { records, deps, policy } = this.scope;
    return new PolicyCredentials(records, deps, new PolicyDefinitions(records, policy));
  }
  async shownRows(selection: Selection, range?: DocumentRange): Promise<readonly DocumentRow[]> {
    const { rows } = this.scope;
    const { policy, documents } = this;
    if (rows === null) return (await documents.rows(selection, range)).map((row) => documentRow(this, row));
    const sourceRows = await documents.shared(selection, range);
    const share = new LoopShare(this.scope.deps.clock);
    const shown: DocumentRow[] = [];
    for (const { document, tag } of sourceRows) {
      const make = (): DocumentRow => documentRow(this, { ...document, __sourceTag__: tag });
      shown.push(Object.isFrozen(document) ? rows.row(document, policy, tag, make) : make());
      await share.giveWay();
    }
    return shown;
  }
  offered(documentId: string): Promise<DocumentRow | undefined> {
    return offeredRow(this, documentId);
  }
  get fail(): ReadContext['fail'] {
    return (code, ...options) => fail(this.scope.policy.id, this.block, code, ...options);
  }
}

class ScopedBlockHandle implements BlockHandle {
  constructor(
    private readonly scope: ReadScope,
    readonly block: BlockNode,
  ) {}

  get kind(): BlockHandle['kind'] {
    return this.block.definition?.kind ?? 'unknown';
  }

  get enriches(): boolean {
    const type = this.scope.typeOf(this.block);
    return type?.enrich !== undefined && type.enriches?.(this.block) !== false;
  }

  availability(): Promise<Availability> {
    return availabilityInParent(this.block, this.scope.user, this.scope);
  }

  async select(): ReturnType<BlockHandle['select']> {
    return this.scope.workingType(this.block).select?.(this.scope.context(this.block));
  }

  async narrow(): ReturnType<BlockHandle['narrow']> {
    return this.scope.workingType(this.block).narrow?.(this.scope.context(this.block));
  }

  async page(): ReturnType<BlockHandle['page']> {
    return this.scope.workingType(this.block).page?.(this.scope.context(this.block));
  }

  async answer(question: Json): Promise<Json | undefined> {
    return this.scope.workingType(this.block).answer?.(this.scope.context(this.block), question);
  }

  async enrich(rows: readonly DocumentRow[]): Promise<readonly DocumentRow[]> {
    return (await this.scope.workingType(this.block).enrich?.(this.scope.context(this.block), rows)) ?? rows;
  }
}
