/** The lifecycle as callers reach it: who may change the status of a policy, and what they hear of it. */
import { assertPermitted, policyAsSeen, policyUser, type Caller, type PermissionTable } from '../access/index.js';
import type { PolicyLifecycle, StatusChange } from '../lifecycle/index.js';
import type { Finding } from '../policy/index.js';
import type { Inspector } from '../ports/index.js';
import type { PolicyRecord } from '../records/index.js';
import { membershipsOf } from '../context/index.js';
import type { RecordReader } from '../transactions/index.js';

/** What became of a policy, as the caller sees it. */
export interface PolicyStatusChange {
  readonly policy: PolicyRecord;
  /** Whether it was done; if not, there are errors among the findings. */
  readonly isValid: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Every method needs the permission `POLICIES_POLICY_MANAGE` and that the policy is the caller's (`POLICY_NOT_OWNED`), and
 * throws `POLICY_UNKNOWN`, and `POLICY_STATUS` where the policy cannot go there from where it is. A policy that has
 * errors among its findings is neither tried nor published: the answer says `isValid: false`, and nothing has changed.
 */
export class Lifecycle {
  constructor(
    private readonly lifecycle: PolicyLifecycle,
    private readonly records: RecordReader,
    private readonly permissionTable: PermissionTable,
    private readonly inspector: Inspector,
  ) {}

  /** Draft to trial: everything works as if published, on a ledger of its own that is thrown away afterwards. */
  dryRun(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#told(caller, () => this.lifecycle.dryRun(caller, policyId));
  }

  /** Trial to draft: what was written in the trial is gone. */
  draft(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#told(caller, () => this.lifecycle.draft(caller, policyId));
  }

  /** Draft or trial to published, under a version `n[.n[.n]]` above the one before. Throws `VERSION_INVALID`. */
  publish(caller: Caller, policyId: string, version: unknown): Promise<PolicyStatusChange> {
    return this.#told(caller, () => this.lifecycle.publish(caller, policyId, version));
  }

  /** Published to discontinued: now, or at an ISO 8601 moment in the future. Throws `DATE_INVALID`. */
  discontinue(caller: Caller, policyId: string, date?: unknown): Promise<PolicyStatusChange> {
    return this.#told(caller, () => this.lifecycle.discontinue(caller, policyId, date));
  }

  async #told(caller: Caller, change: () => Promise<StatusChange>): Promise<PolicyStatusChange> {
    assertPermitted(this.permissionTable, caller, 'POLICIES_POLICY_MANAGE');
    const { policy, isValid, findings } = await change();
    if (isValid) this.inspector({ type: 'policy.status', policyId: policy.id, status: policy.status });
    const memberships = await membershipsOf(this.records, policy.id, caller.did);
    return {
      policy: policyAsSeen(policy, policyUser(caller, policy.owner, memberships), memberships),
      isValid,
      findings,
    };
  }
}
