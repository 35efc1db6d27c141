/** Carries out what a request asks for, in the unit of work of its approval. */
import { BlockworkError } from '../errors.js';
import type { CredentialSigner } from '../ports/index.js';
import { INSTANCE, offeredOrigin } from '../records/index.js';
import type { Json, RemoteRequest, StoredPolicy } from '../records/index.js';
import type { PolicyImporter, CompiledPolicyCache } from '../catalog/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Lane, RevisionKey, UnitOfWork } from '../transactions/index.js';
import type { Ran, Workflow } from '../runtime/index.js';

/** The policy that a request concerns, as the server knows it. */
export type RequestedPolicy = StoredPolicy & { readonly config?: Record<string, unknown> };

/** The result of an action; including the blocks that ran, if it sent data to one. */
export type CarriedOut = Ran | { readonly answer: Json };

type Asked = Pick<RemoteRequest, 'action' | 'policyId' | 'sender' | 'recipient'>;

export class RequestedActions {
  constructor(
    private readonly policies: CompiledPolicyCache,
    private readonly importer: PolicyImporter,
    private readonly workflow: Workflow,
    private readonly signer: CredentialSigner | null,
  ) {}

  /** The lane in which the action runs, and the revisions it depends on. */
  lane({ action, policyId, id }: RemoteRequest): { lane: Lane; keys: RevisionKey[] } {
    switch (action.type) {
      case 'import-policy':
        return {
          lane: lanes.policies.of(),
          keys: [revisionKeys.policies.of(), revisionKeys.policy.of(policyId), revisionKeys.definition.of(policyId)],
        };
      case 'send-data':
        return { lane: lanes.policy.of(policyId), keys: [revisionKeys.policy.of(policyId)] };
      case 'sign':
        return { lane: lanes.signature.of(id), keys: [] };
    }
  }

  /** Throws `POLICY_UNKNOWN` if data is meant for a policy that does not exist here. */
  async policy({ action, policyId }: RemoteRequest): Promise<RequestedPolicy> {
    if (action.type !== 'send-data') return action.policy;
    const { record, config } = await this.policies.open(policyId);
    return { ...record, config };
  }

  /**
   * Who may decide: the owner, if data is for a policy hosted here; the signer, for a signature; for an import the
   * recipient named in the message, or any caller with the permission (`null`). Throws `POLICY_UNKNOWN`.
   */
  async decider({ action, policyId, recipient }: Asked): Promise<string | null> {
    switch (action.type) {
      case 'import-policy':
        return recipient;
      case 'send-data':
        return (await this.policies.open(policyId)).record.owner;
      case 'sign':
        return action.signer;
    }
  }

  /** Resolves with the block's answer, for data sent to a block, or with the signed credential, for a signature. */
  async carryOut(unit: UnitOfWork, { action, policyId, sender }: Asked, record: StoredPolicy): Promise<CarriedOut> {
    switch (action.type) {
      case 'import-policy': {
        const bundle = await this.importer.read({ ...record, config: action.policy.config });
        await this.importer.put(unit, record, bundle);
        unit.put('policy-origin', INSTANCE, { id: offeredOrigin(policyId), policyId, documents: 0 });
        if (action.view) unit.put('policy-host', INSTANCE, { id: policyId, instance: sender.instance });
        return { answer: null };
      }
      case 'send-data': {
        const { did, username } = action.user;
        const remoteUser = { did, ...(username !== undefined && { username }) };
        return this.workflow.send(unit, remoteUser, policyId, { tag: action.tag }, action.data);
      }
      case 'sign': {
        if (this.signer === null) throw new BlockworkError('SIGNING_UNAVAILABLE', { facts: { signer: action.signer } });
        const { signer } = this;
        return { answer: await unit.once('sign', () => signer.sign(action.credential, action.signer)) };
      }
    }
  }
}

/** Failures that a retry cannot fix close a request; others leave it open. */
export const isFinalFailure = (error: unknown): error is BlockworkError =>
  error instanceof BlockworkError && !error.retryable && error.status < 500;
