/** What a policy holds, in numbers, for its owner and auditors: documents by schema, and people by role. */
import type { Caller } from '../../access/index.js';
import { PolicyDefinitions } from '../../context/index.js';
import { allOf, equalTo } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { PolicySight } from '../people/policy-sight.js';
import { auditedPolicy } from './own-policy.js';

export interface PolicyOverview {
  readonly documents: {
    /** Also those of no schema that the policy has. */
    readonly total: number;
    /** Those with documents, most first. `id` is the schema's IRI. */
    readonly bySchema: readonly { readonly id: string; readonly name: string; readonly count: number }[];
  };
  readonly people: {
    readonly total: number;
    /** All roles of the policy, in its order, also those that nobody has. A person has the role of their active group. */
    readonly byRole: readonly { readonly role: string; readonly count: number }[];
  };
}

export interface OverviewDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
}

export class Overview {
  constructor(
    private readonly gate: Gate,
    private readonly deps: OverviewDeps,
  ) {}

  /**
   * The numbers of a policy. They are counted one by one, so they may be from slightly different times. Auditors
   * (`POLICIES_POLICY_AUDIT`) may ask for every published policy, owners (`POLICIES_POLICY_MANAGE`) for their own. Throws
   * `PERMISSION_DENIED`, `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`.
   *
   * @example const { people } = await engine.overview.get(owner, policyId);
   */
  async get(caller: Caller, policyId: string): Promise<PolicyOverview> {
    const { store, sight } = this.deps;
    const policy = await auditedPolicy(this.gate, sight, caller, policyId);
    const bySchema = [];
    for (const { id, name } of await new PolicyDefinitions(store, policy).schemas()) {
      const count = await store.count('document', policyId, equalTo('schema', id));
      if (count > 0) bySchema.push({ id, name, count });
    }
    bySchema.sort((left, right) => right.count - left.count);
    const isActive = equalTo('active', true);
    const byRole = [];
    for (const role of policy.record.policyRoles) {
      byRole.push({ role, count: await store.count('membership', policyId, allOf(equalTo('role', role), isActive)) });
    }
    return {
      documents: { total: await store.count('document', policyId), bySchema },
      people: { total: await store.count('membership', policyId, isActive), byRole },
    };
  }
}
