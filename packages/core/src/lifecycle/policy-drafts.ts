/** Drafts of policies: replaced by another file, or deleted. */
import type { Caller } from '../access/index.js';
import { assertOwnedIn, assertTransition } from '../catalog/index.js';
import type { CompiledPolicyCache, ImportedPolicy, PolicyImporter, ToolLibrary } from '../catalog/index.js';
import { journalEntry } from '../context/index.js';
import { LoopShare } from '../loop-share.js';
import { compiling, type PolicyBundle } from '../policy/index.js';
import type { Clock } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { RunDeps } from '../runtime/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, RevisionKey } from '../transactions/index.js';
import { clearTrial, deleteTimers, forgetTrials, type RemovedRecords } from '../context/index.js';

export interface DraftsDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly importer: PolicyImporter;
  readonly tools: ToolLibrary;
  readonly clock: Clock;
  readonly run: Pick<RunDeps, 'registry'>;
}

export class PolicyDrafts {
  constructor(private readonly deps: DraftsDeps) {}

  /**
   * Replaces a draft's file. Data entered in the draft is kept, under the tags of its blocks. An unusable file changes
   * nothing.
   */
  async replace(caller: Caller, policyId: string, source: unknown): Promise<ImportedPolicy> {
    const { executor, policies, importer, tools, clock } = this.deps;
    assertTransition((await policies.open(policyId)).record, 'replace', caller.did);
    const bundle = await importer.read(source);
    await this.#assertUsable(policyId, bundle);
    const { result: record } = await executor.run(lanes.policy.of(policyId), keysOf(policyId), async (unit) => {
      const { record: before } = await policies.open(policyId);
      assertTransition(before, 'replace', caller.did);
      const cause = { type: 'lifecycle', action: 'replace', did: caller.did } as const;
      const revision = unit.expected(revisionKeys.policy.of(policyId));
      unit.put('journal', policyId, journalEntry(cause, revision, clock));
      return importer.replace(unit, before, bundle);
    });
    const ofTools = await tools.addCarried(record.owner, bundle.config, bundle.tools);
    await tools.fetchMissing(record.owner, bundle.config);
    return { record, findings: [...bundle.findings, ...ofTools], text: bundle.text };
  }

  /** Deletes a draft with all of its data. */
  async remove(caller: Caller, policyId: string): Promise<RemovedRecords> {
    const { executor, policies, importer } = this.deps;
    const { result } = await executor.run(lanes.policy.of(policyId), keysOf(policyId), async (unit) => {
      assertOwnedIn(['DRAFT'], (await policies.open(policyId)).record, 'delete', caller.did);
      const removed = await clearTrial(unit, policyId);
      await deleteTimers(unit, policyId);
      await forgetTrials(unit, policyId);
      await importer.clear(unit, policyId);
      unit.delete('policy', INSTANCE, policyId);
      return removed;
    });
    return result;
  }

  /** Throws `POLICY_INVALID`. */
  async #assertUsable(policyId: string, { about, config }: PolicyBundle): Promise<void> {
    const { policyRoles: roles, policyGroups: groups, policyNavigation: navigation } = about;
    const facts = { policyId, roles, groups, navigation };
    await new LoopShare(this.deps.clock).carryOut(compiling(config, facts, this.deps.run.registry));
  }
}

const keysOf = (policyId: string): RevisionKey[] => [
  revisionKeys.policy.of(policyId),
  revisionKeys.definition.of(policyId),
  revisionKeys.policies.of(),
];
