/** Policy lifecycle for callers: dry run, draft, publication, discontinuation. */
import type { Caller } from '../access/index.js';
import type { CompiledPolicyCache, ImportedPolicy } from '../catalog/index.js';
import type { PolicyDrafts, PolicyLifecycle, PolicyVersions, StatusChange } from '../lifecycle/index.js';
import type { PolicyChange } from '../comparison/index.js';
import { located, type Finding } from '../policy/index.js';
import type { Inspections } from '../telemetry/index.js';
import type { PolicyRecord } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import type { RemovedRecords } from '../context/index.js';
import type { Gate } from './gate.js';
import { ownPolicy } from './inspection/own-policy.js';
import { Members } from './people/members.js';
import type { PolicySight } from './people/policy-sight.js';

/** Result of a status change. */
export interface PolicyStatusChange {
  /** The policy as the caller sees it. */
  readonly policy: PolicyRecord;
  /** `false` if errors among the findings prevented the change. */
  readonly isValid: boolean;
  readonly findings: readonly Finding[];
  /** Records of the draft or trial that the change removed; absent if it removes nothing. */
  readonly removed?: RemovedRecords;
}

export interface LifecycleDeps {
  readonly lifecycle: PolicyLifecycle;
  readonly drafts: PolicyDrafts;
  readonly versions: PolicyVersions;
  readonly policies: CompiledPolicyCache;
  readonly store: RecordReader;
  readonly sight: PolicySight;
  readonly inspections: Inspections;
}

/**
 * Methods throw `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `POLICY_STATUS`
 * if the transition is not possible from the policy's status, and `ENGINE_CLOSED`, unless they say otherwise. Findings of severity
 * error prevent a dry run and a publication: the result has `isValid: false`, and nothing has changed.
 */
export class Lifecycle {
  readonly #gate: Gate;
  readonly #deps: LifecycleDeps;

  constructor(gate: Gate, deps: LifecycleDeps) {
    this.#gate = gate;
    this.#deps = deps;
  }

  /**
   * Draft to dry run: everything works as if published, on a ledger that is discarded afterwards. The draft's records
   * are deleted and counted in `removed`. Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { isValid, policy } = await engine.lifecycle.dryRun(owner, policyId);
   */
  async dryRun(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#change(caller, policyId, (lifecycle) => lifecycle.dryRun(caller, policyId));
  }

  /**
   * Empties a trial and restarts it. Its virtual users and savepoints are kept. Throws the errors common to all
   * methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.lifecycle.restart(owner, policyId);
   */
  async restart(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#change(caller, policyId, (lifecycle) => lifecycle.restart(caller, policyId));
  }

  /**
   * Replaces a trial's file, like `replace` for a draft, and restarts the trial with it, like `restart`, atomically.
   * Throws `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_INVALID`, and the errors common to all methods, such
   * as `ENGINE_CLOSED`.
   *
   * @example const { isValid } = await engine.lifecycle.restartWith(owner, policyId, { name: 'Registry', config });
   */
  async restartWith(caller: Caller, policyId: string, source: unknown): Promise<PolicyStatusChange> {
    return this.#change(caller, policyId, (lifecycle) => lifecycle.restartWith(caller, policyId, source));
  }

  /**
   * Dry run to draft. The trial's records are deleted; its savepoints and virtual users are kept. Throws the errors
   * common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.lifecycle.draft(owner, policyId);
   */
  async draft(caller: Caller, policyId: string): Promise<PolicyStatusChange> {
    return this.#change(caller, policyId, (lifecycle) => lifecycle.draft(caller, policyId));
  }

  /**
   * Draft or dry run to published, with a version `n[.n[.n]]` higher than the previous one. Throws `VERSION_INVALID`,
   * `POLICY_FILE_TOO_LARGE` if readers of the ledger on which it is published would not take its file, and the errors common to
   * all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { isValid } = await engine.lifecycle.publish(owner, policyId, '1.0.0');
   */
  async publish(caller: Caller, policyId: string, version: unknown): Promise<PolicyStatusChange> {
    return this.#change(caller, policyId, (lifecycle) => lifecycle.publish(caller, policyId, version));
  }

  /**
   * Published to discontinued: now, or at a future time (ISO 8601). Throws `DATE_INVALID`, and the errors common to all
   * methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.lifecycle.discontinue(owner, policyId);
   */
  async discontinue(caller: Caller, policyId: string, date?: unknown): Promise<PolicyStatusChange> {
    return this.#change(caller, policyId, (lifecycle) => lifecycle.discontinue(caller, policyId, date));
  }

  /**
   * Replaces a draft's file with a `.policy` archive as bytes, or a JSON value as for `importPolicy`. The draft keeps
   * its id, tag, documents, and the state of blocks with the same tags. Findings never prevent it, and an unusable file
   * changes nothing. Throws `POLICY_FILE_INVALID`, `POLICY_FILE_TOO_LARGE`, `POLICY_INVALID`, and the errors common to
   * all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { findings } = await engine.lifecycle.replace(owner, policyId, { name: 'Registry', config });
   */
  async replace(
    caller: Caller,
    policyId: string,
    source: unknown,
  ): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { drafts, sight } = this.#deps;
    const replaced = await sight.forOwner(caller, policyId, () => drafts.replace(caller, policyId, source));
    return this.#imported(caller, replaced);
  }

  /**
   * Deletes a draft and all its records, and returns how many there were. Throws the errors common to all methods, such
   * as `ENGINE_CLOSED`.
   *
   * @example await engine.lifecycle.delete(owner, policyId);
   */
  async delete(caller: Caller, policyId: string): Promise<RemovedRecords> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { drafts, sight } = this.#deps;
    return sight.forOwner(caller, policyId, () => drafts.remove(caller, policyId));
  }

  /**
   * Creates a draft of the next version of a published or discontinued policy, which is not affected. The draft has the
   * same name, uuid and file content but none of its records; `previousVersion` is the existing version and `version`
   * the next one. Use `replace` to change the file. Throws `POLICY_FILE_TOO_LARGE`, and the errors common to all
   * methods, such as `ENGINE_CLOSED`.
   *
   * @example const { policy } = await engine.lifecycle.nextVersion(owner, policyId);
   */
  async nextVersion(caller: Caller, policyId: string): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { versions, sight } = this.#deps;
    return this.#imported(caller, await sight.forOwner(caller, policyId, () => versions.next(caller, policyId)));
  }

  /**
   * All versions of a policy, including itself, without their configurations: drafts of the next version first, then
   * the highest version downwards. Throws `PERMISSION_DENIED` (`POLICIES_POLICY_READ`), `POLICY_UNKNOWN`,
   * `ENGINE_CLOSED`.
   *
   * @example const versions = await engine.lifecycle.versions(owner, policyId);
   */
  async versions(caller: Caller, policyId: string): Promise<PolicyRecord[]> {
    this.#gate.admit(caller, 'POLICIES_POLICY_READ');
    const { versions, store, sight } = this.#deps;
    const members = new Members(store);
    await sight.open(caller, policyId);
    const seen: PolicyRecord[] = [];
    for (const record of await versions.list(policyId))
      if (await sight.sees(caller, record)) seen.push(await members.asSeen(caller, record));
    return seen;
  }

  /**
   * The differences of a policy from another one, such as its previous version, compared semantically: roles, tokens,
   * schemas, blocks and events. The caller must own both. Throws
   * `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`.
   *
   * @example const changes = await engine.lifecycle.changes(owner, policyId, policyId); // []
   */
  async changes(caller: Caller, policyId: string, since: string): Promise<PolicyChange[]> {
    const { sight, versions } = this.#deps;
    const policy = await ownPolicy(this.#gate, sight, caller, policyId);
    return versions.changes(policy, await ownPolicy(this.#gate, sight, caller, since));
  }

  async #imported(
    caller: Caller,
    { record, findings, text }: ImportedPolicy,
  ): Promise<{ policy: PolicyRecord; findings: readonly Finding[] }> {
    const { policies, store, inspections } = this.#deps;
    const { tree } = await policies.open(record.id);
    const all = located([...findings, ...tree.findings], text);
    inspections.publish({ type: 'policy.imported', policyId: record.id, findings: all.length });
    return { policy: await new Members(store).asSeen(caller, record), findings: all };
  }

  async #change(
    caller: Caller,
    policyId: string,
    change: (lifecycle: PolicyLifecycle) => Promise<StatusChange>,
  ): Promise<PolicyStatusChange> {
    this.#gate.admit(caller, 'POLICIES_POLICY_MANAGE');
    const { lifecycle, store, sight, inspections } = this.#deps;
    const { policy, isValid, findings, removed } = await sight.forOwner(caller, policyId, () => change(lifecycle));
    if (isValid) inspections.publish({ type: 'policy.status', policyId: policy.id, status: policy.status });
    return {
      policy: await new Members(store).asSeen(caller, policy),
      isValid,
      findings,
      ...(removed && { removed }),
    };
  }
}
