/** Explanations: why a block is open to a user or not, and why it shows them a document or not. */
import {
  explainedAvailability,
  groupMembershipOf,
  policyUser,
  type Availability,
  type ObstacleCause,
} from '../access/index.js';
import { blockOf, type BlockReference, type OpenPolicy } from '../catalog/index.js';
import { membershipsOf } from '../context/index.js';
import { isBlockworkError, type ErrorCode } from '../errors.js';
import type { BlockNode } from '../policy/index.js';
import type { DocumentRecord, GroupMembership, PolicyStatus } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { fail } from '../block-api/index.js';
import { readerOf, receiverOf } from './block-methods.js';
import { explainedSources, type SourceExplanation } from './explained-sources.js';
import { ReadScope, type ReadScopeDeps } from './read-scope.js';

/** A user in one policy. */
export interface ExplainedUser {
  readonly did: string;
  /** Of the active membership. */
  readonly role: string | null;
  readonly group: string | null;
  readonly isOwner: boolean;
  readonly memberships: readonly GroupMembership[];
}

export interface ExplainedBlock {
  readonly uuid: string;
  readonly tag: string;
  readonly blockType: string;
}

/** One block on the path from the root. */
export interface ExplainedStep extends ExplainedBlock {
  readonly permissions: readonly string[];
  readonly isPermitted: boolean;
  /** `null` if a permission decides before activity is checked. */
  readonly isActive: boolean | null;
  readonly cause?: ObstacleCause;
  readonly reason?: string;
}

/** Whether a method of the block would be carried out now, or the error it would be rejected with. */
export type Verdict =
  { readonly isAllowed: true } | { readonly isAllowed: false; readonly code: ErrorCode; readonly reason: string };

export interface BlockExplanation {
  readonly block: ExplainedBlock;
  readonly as: ExplainedUser;
  readonly status: PolicyStatus;
  readonly outcome: Availability['outcome'];
  readonly reason?: string;
  /** From the root to the block. */
  readonly steps: readonly ExplainedStep[];
  /** The decision, including the policy's status, the block's options and the abilities of its type. */
  readonly read: Verdict;
  /** As `read`, regardless of the data sent. */
  readonly send: Verdict;
}

export interface SelectionExplanation {
  readonly block: ExplainedBlock;
  readonly as: ExplainedUser;
  readonly documentId: string;
  /** Whether the block shows the document to the user now, on any page. */
  readonly isShown: boolean;
  readonly outcome: Availability['outcome'];
  readonly reason?: string;
  /** In order of precedence: the first that selects the document shows it. */
  readonly sources: readonly SourceExplanation[];
}

interface Viewer {
  readonly scope: ReadScope;
  readonly as: ExplainedUser;
  /** Roles that the user has in groups that are not active. */
  readonly otherRoles: readonly string[];
}

export class Explanations {
  constructor(
    private readonly records: RecordReader,
    private readonly deps: ReadScopeDeps,
  ) {}

  /** Throws `BLOCK_UNKNOWN`. */
  async ofBlock(policy: OpenPolicy, reference: BlockReference, did: string): Promise<BlockExplanation> {
    const block = blockOf(policy, reference);
    const { scope, as, otherRoles } = await this.#viewer(policy, did);
    const { decision, steps } = await explainedAvailability(block, scope.user, otherRoles, scope);
    return {
      block: named(block),
      as,
      status: policy.record.status,
      ...decision,
      steps: steps.map(({ block: node, isPermitted, isActive, obstacle }) => ({
        ...named(node),
        permissions: node.permissions,
        isPermitted,
        isActive,
        ...obstacle,
      })),
      read: await verdict(readerOf(scope, block)),
      send: await verdict(receiverOf(scope, block)),
    };
  }

  /**
   * `showValues`: whether the explanation may contain values of the document. Throws `BLOCK_UNKNOWN`,
   * `BLOCK_WITHOUT_DOCUMENTS`.
   */
  async ofDocument(
    policy: OpenPolicy,
    reference: BlockReference,
    document: DocumentRecord,
    { did, showValues }: { readonly did: string; readonly showValues: boolean },
  ): Promise<SelectionExplanation> {
    const block = blockOf(policy, reference);
    const { scope, as } = await this.#viewer(policy, did);
    const type = scope.workingType(block);
    if (type.select === undefined) return fail(policy.id, block, 'BLOCK_WITHOUT_DOCUMENTS');
    const decision = await scope.availability(block);
    const ctx = scope.context(block);
    const sources = await explainedSources(ctx, await type.select(ctx), document, showValues);
    const isSelected = sources.some(({ outcome }) => outcome === 'selected');
    return {
      block: named(block),
      as,
      documentId: document.id,
      isShown: decision.outcome === 'allowed' && isSelected,
      ...decision,
      sources,
    };
  }

  async #viewer(policy: OpenPolicy, did: string): Promise<Viewer> {
    const memberships = await membershipsOf(this.records, policy.id, did);
    const user = policyUser({ did }, policy.record.owner, memberships);
    const { role, group, isOwner } = user;
    return {
      scope: new ReadScope(policy, user, this.records, this.deps),
      as: { did, role, group, isOwner, memberships: memberships.map(groupMembershipOf) },
      otherRoles: memberships.filter(({ active }) => !active).map((membership) => membership.role),
    };
  }
}

const named = ({ uuid, tag, blockType }: BlockNode): ExplainedBlock => ({ uuid, tag, blockType });

/** The error that the attempt is rejected with, as a verdict. */
async function verdict(attempt: Promise<unknown>): Promise<Verdict> {
  try {
    await attempt;
    return { isAllowed: true };
  } catch (error) {
    if (!isBlockworkError(error) || error.status >= 500) throw error;
    return { isAllowed: false, code: error.code, reason: error.message };
  }
}
