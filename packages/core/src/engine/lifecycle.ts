/** The lifecycle of policies, for callers: trial, draft, publication, discontinuation. */
import type { Caller } from '../access/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import type { PolicyDrafts, PolicyLifecycle, PolicyVersions, StatusChange } from '../lifecycle/index.js';
import type { PolicyChange } from '../comparison/index.js';
import type { Finding } from '../policy/index.js';
import type { Inspector } from '../ports/index.js';
import type { PolicyRecord, StoredPolicy } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import type { RemovedRecords } from '../trials/index.js';
import type { Gate } from './gate.js';
import { ownPolicy } from './inspection/own-policy.js';
import { Members } from './people/members.js';

/** The outcome of a change of status. */
export interface PolicyStatusChange {
  /** As the caller sees it. */
  readonly policy: PolicyRecord;
  /** `false` if errors among the findings prevented the change. */
  readonly isValid: boolean;
  readonly findings: readonly Finding[];
  /** What was done in the draft or trial, which the change has removed; absent where it removes nothing. */
  readonly removed?: RemovedRecords;
}

export interface LifecycleDeps {
  readonly lifecycle: PolicyLifecycle;
  readonly drafts: PolicyDrafts;
  readonly versions: PolicyVersions;
  readonly policies: CompiledPolicyCache;
  readonly store: RecordReader;
  readonly inspector: Inspector;
}

/**
 * Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `POLICY_STATUS`
 * if the policy has no such transition from its status, and `ENGINE_CLOSED`. Errors among the findings prevent a trial and
 * a publication: the outcome says `isValid: false`, and nothing has changed.
 */
export class Lifecycle {
  readonly #gate: Gate;
  readonly #deps: LifecycleDeps;

  constructor(gate: Gate, deps: LifecycleDeps) {
    this.#gate = gate;
    this.#deps = deps;
  }

  /**
   * Draft to trial: everything works as if published, on a ledger that is discarded afterwards. What was done in the draft is
   * deleted, as `removed` says. Throws what every method throws, `ENGINE_CLOSED` among them.
   */
  async dryRun(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#change(caller, (lifecycle) => lifecycle.dryRun(caller, policyId));
  }

  /**
   * Empties a trial and begins it again. Its people and its savepoints stay. Throws what every method throws, `ENGINE_CLOSED`
   * among them.
   */
  async restart(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#change(caller, (lifecycle) => lifecycle.restart(caller, policyId));
  }

  /**
   * Puts another file in place of a trial's, as `replace` does for a draft, and begins the trial again with it, as `restart`
   * does: all of it or nothing. Throws `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_INVALID`, and what every method
   * throws, `ENGINE_CLOSED` among them.
   */
  async restartWith(caller: Caller, policyId: string, source: unknown): Promise<PolicyStatusChange> {
    return this.#change(caller, (lifecycle) => lifecycle.restartWith(caller, policyId, source));
  }

  /** Trial to draft; the records of the trial are deleted, its savepoints and its people stay. Throws what every method throws, `ENGINE_CLOSED` among them. */
  async draft(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#change(caller, (lifecycle) => lifecycle.draft(caller, policyId));
  }

  /**
   * Draft or trial to published, with a version `n[.n[.n]]` above the previous one. Throws `VERSION_INVALID`, and what
   * every method throws, `ENGINE_CLOSED` among them.
   */
  async publish(caller: Caller, policyId: string, version: unknown): Promise<PolicyStatusChange> {
    return this.#change(caller, (lifecycle) => lifecycle.publish(caller, policyId, version));
  }

  /**
   * Published to discontinued: now, or at an ISO 8601 moment in the future. Throws `DATE_INVALID`, and what every method
   * throws, `ENGINE_CLOSED` among them.
   */
  async discontinue(caller: Caller, policyId: string, date?: unknown): Promise<PolicyStatusChange> {
    return this.#change(caller, (lifecycle) => lifecycle.discontinue(caller, policyId, date));
  }

  /**
   * Puts another file in place of a draft's: a `.policy` archive as bytes, or a JSON value as for `importPolicy`. The draft keeps
   * its id and tag, and what was done in it: documents stay, and states of blocks under their tags. No finding prevents
   * it, and a file that cannot be used changes nothing. Throws `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`,
   * `POLICY_INVALID`, and what every method throws, `ENGINE_CLOSED` among them.
   */
  async replace(
    caller: Caller,
    policyId: string,
    source: unknown,
  ): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    return this.#imported(caller, await this.#deps.drafts.replace(caller, policyId, source));
  }

  /**
   * Deletes a draft with everything that was done in it, and says how many records that were. Throws what every method throws,
   * `ENGINE_CLOSED` among them.
   */
  async delete(caller: Caller, policyId: string): Promise<RemovedRecords> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    return this.#deps.drafts.remove(caller, policyId);
  }

  /**
   * Makes a draft of the next version of a published or discontinued policy, which goes on as before. The draft has its name, its
   * uuid and everything that it came with, `previousVersion` names its version, and `version` the next one; what was done in it
   * stays with it. `replace` puts another file in. Throws `POLICY_FILE_TOO_LARGE`, and what every method throws,
   * `ENGINE_CLOSED` among them.
   */
  async nextVersion(caller: Caller, policyId: string): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { versions } = this.#deps;
    return this.#imported(caller, await versions.next(caller, policyId));
  }

  /**
   * All versions of a policy, itself among them, without their configurations: the highest first, drafts of the next one before
   * those. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`, `ENGINE_CLOSED`.
   */
  async versions(caller: Caller, policyId: string): Promise<PolicyRecord[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    const { versions, store } = this.#deps;
    const members = new Members(store);
    return Promise.all((await versions.list(policyId)).map((record) => members.asSeen(caller, record)));
  }

  /**
   * What is different in a policy from another one, such as its previous version: by meaning, for roles, tokens, schemas, blocks
   * and events. For the owner of both. Throws what every method throws, `ENGINE_CLOSED` among them.
   */
  async changes(caller: Caller, policyId: string, since: string): Promise<PolicyChange[]> {
    const { policies, versions } = this.#deps;
    const policy = await ownPolicy(this.#gate, policies, caller, policyId);
    return versions.changes(policy, await ownPolicy(this.#gate, policies, caller, since));
  }

  async #imported(
    caller: Caller,
    { record, findings }: { readonly record: StoredPolicy; readonly findings: readonly Finding[] },
  ): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    const { policies, store, inspector } = this.#deps;
    const { tree } = await policies.open(record.id);
    const all = [...findings, ...tree.findings];
    inspector({ type: 'policy.imported', policyId: record.id, findings: all.length });
    return { policy: await new Members(store).asSeen(caller, record), findings: all };
  }

  async #change(
    caller: Caller,
    change: (lifecycle: PolicyLifecycle) => Promise<StatusChange>,
  ): Promise<PolicyStatusChange> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { lifecycle, store, inspector } = this.#deps;
    const { policy, isValid, findings, removed } = await change(lifecycle);
    if (isValid) inspector({ type: 'policy.status', policyId: policy.id, status: policy.status });
    return {
      policy: await new Members(store).asSeen(caller, policy),
      isValid,
      findings,
      ...(removed && { removed }),
    };
  }
}
