/** Carrying out what a request asks for, inside the unit of work of its approval. */
import { BlockworkError } from '../errors.js';
import type { Json, RemoteRequest, StoredPolicy } from '../records/index.js';
import { definitionKey, POLICIES } from '../runtime/index.js';
import type { PolicyIntake, PolicyLibrary, UnitOfWork, Workflow } from '../runtime/index.js';

/** The policy that a request is about, as the server knows it. */
export type RequestedPolicy = StoredPolicy & { readonly config?: Record<string, unknown> };

export class RequestedActions {
  constructor(
    private readonly library: PolicyLibrary,
    private readonly intake: PolicyIntake,
    private readonly workflow: Workflow,
  ) {}

  /** Who must wait for whom: the lane that the action runs in, and the revisions that it depends on. */
  lane({ action, policyId }: RemoteRequest): { lane: string; keys: string[] } {
    return action.type === 'import-policy'
      ? { lane: POLICIES, keys: [POLICIES, policyId, definitionKey(policyId)] }
      : { lane: policyId, keys: [policyId] };
  }

  /** Throws `POLICY_UNKNOWN` when data is meant for a policy that is not here. */
  async policy({ action, policyId }: RemoteRequest): Promise<RequestedPolicy> {
    return action.type === 'import-policy' ? action.policy : (await this.library.open(policyId)).record;
  }

  /** Whose word it takes: the owner's, where data is for a policy hosted here; anybody's with the permission, for an import. */
  async decider({ action, policyId }: RemoteRequest): Promise<string | null> {
    return action.type === 'import-policy' ? null : (await this.library.open(policyId)).record.owner;
  }

  /** Returns what the block answered, for data sent to a block. */
  async carryOut(unit: UnitOfWork, { action, policyId }: RemoteRequest, record: StoredPolicy): Promise<Json> {
    switch (action.type) {
      case 'import-policy': {
        const bundle = this.intake.read({ ...record, config: action.policy.config });
        await this.intake.put(unit, record, bundle);
        return null;
      }
      case 'send-data': {
        const { did, username } = action.user;
        const remoteUser = { did, ...(username !== undefined && { username }) };
        const { answer } = await this.workflow.send(unit, remoteUser, policyId, { tag: action.tag }, action.data);
        return answer;
      }
    }
  }
}

/** Failures that trying again will not mend close a request; the others leave it open. */
export const isFinalFailure = (error: unknown): error is BlockworkError =>
  error instanceof BlockworkError && !error.retryable && error.status < 500;
