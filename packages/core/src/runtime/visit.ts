/** A visit: one user looking at one policy, for the length of one read or one step of a run. */
import {
  availability,
  availabilityInParent,
  type ActivityReader,
  type Availability,
  type PolicyUser,
} from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { BlockNode } from '../policy/index.js';
import type { Accounts, Clock, Ids, Keys } from '../ports/index.js';
import type { Condition, Json } from '../records/index.js';
import { BlockEntries } from './block-entries.js';
import { BlockMemory } from './block-memory.js';
import type { Block } from './block.js';
import type { BlockRegistry } from './block-registry.js';
import { fail } from './block-failure.js';
import type { Neighbour, ReadContext } from './context.js';
import { offeredDocument } from './offered-documents.js';
import { PolicyCredentials } from './policy-credentials.js';
import { PolicyDefinitions } from './policy-definitions.js';
import { PolicyDocuments } from './policy-documents.js';
import { PolicyLedger } from './policy-ledger.js';
import type { OpenPolicy } from './policy-library.js';
import { PolicyMemberships } from './policy-memberships.js';
import { PolicyUsers } from './policy-users.js';
import type { DocumentRow } from './selection.js';
import type { RecordReader } from './unit-of-work.js';

export interface VisitTools {
  readonly registry: BlockRegistry;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keys: Keys;
  readonly accounts: Accounts;
}

export class Visit implements ActivityReader {
  #pure = true;

  constructor(
    readonly policy: OpenPolicy,
    readonly user: PolicyUser,
    readonly records: RecordReader,
    readonly tools: VisitTools,
    readonly query: Readonly<Record<string, string>> = {},
  ) {}

  /** Whether everything so far was worked out from the policy's records alone. */
  get pure(): boolean {
    return this.#pure;
  }

  /** The time, which no record holds. */
  get clock(): Clock {
    this.#pure = false;
    return this.tools.clock;
  }

  availability(block: BlockNode): Promise<Availability> {
    return availability(block, this.user, this);
  }

  decides(parent: BlockNode): boolean {
    return this.typeOf(parent)?.isOpen !== undefined && parent.options !== null;
  }

  async isOpenIn(parent: BlockNode, child: BlockNode): Promise<boolean> {
    return !this.decides(parent) || (await this.typeOf(parent)?.isOpen?.(this.context(parent), child)) !== false;
  }

  async hasCompleted(block: BlockNode): Promise<boolean> {
    const { did, group } = this.user;
    const mine: Condition = { path: 'did', op: 'eq', value: did };
    const ours: Condition = { path: 'group', op: 'eq', value: group };
    const who: Condition = group === null ? mine : { any: [mine, ours] };
    const where: Condition = { all: [{ path: 'tag', op: 'eq', value: block.tag }, who] };
    return (await this.records.count('completion', this.policy.id, where)) > 0;
  }

  typeOf(block: BlockNode): Block | undefined {
    return this.tools.registry.get(block.blockType);
  }

  /** The block's type, fit to work: throws when the engine does not know it, or its options are not valid. */
  workingType(block: BlockNode): Block {
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

/** What a block reads with. Members are made when they are asked for: most reads need few of them. */
export class BlockReadContext implements ReadContext {
  #children: readonly Neighbour[] | undefined;

  constructor(
    protected readonly visit: Visit,
    readonly block: BlockNode,
  ) {}

  get policy(): ReadContext['policy'] {
    return this.visit.policy.view;
  }
  get options(): unknown {
    return this.block.options;
  }
  get user(): PolicyUser {
    return this.visit.user;
  }
  get query(): Readonly<Record<string, string>> {
    return this.visit.query;
  }
  get clock(): Clock {
    return this.visit.clock;
  }
  get parent(): Neighbour | null {
    return this.block.parent === null ? null : this.neighbour(this.block.parent);
  }
  get children(): readonly Neighbour[] {
    return (this.#children ??= this.block.children.map((child) => this.neighbour(child)));
  }
  neighbour(block: BlockNode): Neighbour {
    return new VisitedNeighbour(this.visit, block);
  }
  get state(): BlockMemory {
    return new BlockMemory(this.visit.records, this.visit.policy.id, this.block.tag, this.visit.user.key);
  }
  get documents(): PolicyDocuments {
    return new PolicyDocuments(this.visit.records, this.visit.policy.id);
  }
  get memberships(): PolicyMemberships {
    return new PolicyMemberships(this.visit.records, this.visit.policy.view, this.visit.user);
  }
  get definitions(): PolicyDefinitions {
    return new PolicyDefinitions(this.visit.records, this.visit.policy.id);
  }
  get entries(): BlockEntries {
    return new BlockEntries(this.visit.records, this.visit.policy.id, this.block.tag);
  }
  get users(): PolicyUsers {
    return new PolicyUsers(this.visit.records, this.visit.policy, this.visit.user, this.visit.tools.accounts);
  }
  get ledger(): PolicyLedger {
    return new PolicyLedger(this.visit.records, this.visit.policy.id);
  }
  get credentials(): PolicyCredentials {
    return new PolicyCredentials(this.visit.records, this.visit.tools);
  }
  offered(documentId: string): Promise<DocumentRow | undefined> {
    return offeredDocument(this.visit, this.block, this.documents, documentId);
  }
  get fail(): ReadContext['fail'] {
    return (code, options) => fail(this.visit.policy.id, this.block, code, options);
  }
}

class VisitedNeighbour implements Neighbour {
  constructor(
    private readonly visit: Visit,
    readonly block: BlockNode,
  ) {}

  get kind(): Neighbour['kind'] {
    return this.block.definition?.about.kind ?? 'unknown';
  }

  availability(): Promise<Availability> {
    return availabilityInParent(this.block, this.visit.user, this.visit);
  }

  async select(): ReturnType<Neighbour['select']> {
    return this.visit.workingType(this.block).select?.(this.visit.context(this.block));
  }

  async narrow(): ReturnType<Neighbour['narrow']> {
    return this.visit.workingType(this.block).narrow?.(this.visit.context(this.block));
  }

  async page(): ReturnType<Neighbour['page']> {
    return this.visit.workingType(this.block).page?.(this.visit.context(this.block));
  }

  async answer(question: Json): Promise<Json | undefined> {
    return this.visit.workingType(this.block).answer?.(this.visit.context(this.block), question);
  }

  async enrich(rows: readonly DocumentRow[]): Promise<readonly DocumentRow[]> {
    return (await this.visit.workingType(this.block).enrich?.(this.visit.context(this.block), rows)) ?? rows;
  }
}
