/** The lifecycle of policies: each change of status, with all its effects, is one unit of work. */
import { type Caller, policyUser } from '../access/index.js';
import type { TimerHandlers } from '../background/index.js';
import {
  assertTransition,
  carryEditsAcross,
  type CompiledPolicyCache,
  type OpenPolicy,
  type PolicyExporter,
  type PolicyImporter,
  type ToolLibrary,
} from '../catalog/index.js';
import { publishIdentity } from '../block-kit/index.js';
import { BlockworkError } from '../errors.js';
import { LoopShare } from '../loop-share.js';
import { type Finding, located, type PolicyBundle, type PolicyTree, tokenFindings } from '../policy/index.js';
import { type Clock, isoNow } from '../ports/index.js';
import {
  allOf,
  equalTo,
  INSTANCE,
  type PolicyStatus,
  type PolicyTransition,
  policyTransitions,
  type StatusTimer,
  type StoredPolicy,
} from '../records/index.js';
import { type BlockTimers, Run, type RunDeps } from '../runtime/index.js';
import {
  type Executor,
  lanes,
  type RecordReader,
  type RevisionKey,
  revisionKeys,
  type UnitOfWork,
} from '../transactions/index.js';
import { clearTrial, deleteTimers, forgetTrials, recordFromNow, type RemovedRecords } from '../context/index.js';
import { findingReferences, type PolicyParts, storedParts } from './reference-findings.js';
import { publishedVersion } from './version.js';

export interface LifecycleDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly importer: PolicyImporter;
  readonly exporter: Pick<PolicyExporter, 'policy'>;
  readonly tools: ToolLibrary;
  readonly blockTimers: BlockTimers;
  readonly clock: Clock;
  readonly store: RecordReader;
  readonly run: RunDeps;
}

/** The outcome for a policy; unchanged if the findings contain an error. */
export interface StatusChange {
  readonly policy: StoredPolicy;
  readonly isValid: boolean;
  readonly findings: readonly Finding[];
  /** Records of the draft or trial; absent if the change removes nothing, or was prevented. */
  readonly removed?: RemovedRecords;
}

/** What the findings of a definition depend on. */
export type CheckedBundle = Pick<PolicyBundle, 'archived' | 'config' | 'schemas' | 'tokens'> & {
  readonly about: Pick<
    PolicyBundle['about'],
    'policyRoles' | 'policyGroups' | 'policyNavigation' | 'policyTopics' | 'policyTokens'
  >;
};

/** The record after a change, and the records it removed. */
interface Changed {
  readonly record: StoredPolicy;
  readonly removed?: RemovedRecords;
}

/** The effects of a change, as part of the run that is written into the journal. */
type Work = (run: Run) => Promise<Changed>;

export class PolicyLifecycle {
  constructor(private readonly deps: LifecycleDeps) {}

  /** For the timer queue: the date of a discontinuation. */
  get timerHandlers(): Pick<TimerHandlers, 'discontinue'> {
    return { discontinue: { carryOut: (timer) => this.#discontinueAt(timer) } };
  }

  /**
   * Starts a trial: the draft runs as if published, on a separate empty ledger. Data entered in the draft is removed,
   * and counted in the answer. Refuses a policy with errors.
   */
  dryRun(caller: Caller, policyId: string): Promise<StatusChange> {
    return this.#validated(caller, policyId, 'dry-run', async (run) => {
      const { unit, policy } = run;
      const removed = await this.#begin(unit, policy);
      await announceTrial(run);
      return { record: { ...policy.record, status: 'DRY-RUN' }, removed };
    });
  }

  /**
   * Empties and restarts a trial: its data is removed, its virtual users and savepoints are kept. `isRecorded`: later
   * sends are recorded.
   */
  async restart(caller: Caller, policyId: string, isRecorded = false): Promise<StatusChange> {
    return this.#change(caller, policyId, isRecorded ? 'record' : 'restart', async (run) => {
      const { unit, policy } = run;
      const removed = await this.#begin(unit, policy);
      await announceTrial(run);
      if (isRecorded) await recordFromNow(unit, policyId, this.deps.clock);
      return { record: policy.record, removed };
    });
  }

  /**
   * Replaces a trial's file and restarts the trial with it in one unit of work, so that no state in between is visible.
   * Refuses a file with errors.
   */
  async restartWith(caller: Caller, policyId: string, source: unknown): Promise<StatusChange> {
    const { executor, policies, importer, tools, blockTimers } = this.deps;
    const { record: before } = await policies.open(policyId);
    assertTransition(before, 'restart', caller.did);
    const bundle = await importer.read(source);
    // Tools belong to no policy: the blocks they bring are checked as well.
    const ofTools = await tools.addCarried(before.owner, bundle.config, bundle.tools);
    await tools.fetchMissing(before.owner, bundle.config);
    const own = await this.findingsOf(before, bundle);
    const findings = located([...bundle.findings, ...ofTools, ...own], bundle.text);
    if (findings.some(({ severity }) => severity === 'error')) return { policy: before, isValid: false, findings };
    const { result } = await executor.run(lanes.policy.of(policyId), keysOf(policyId), async (unit) => {
      const { record } = await policies.open(policyId);
      assertTransition(record, 'restart', caller.did);
      const removed = await this.#end(unit, policyId);
      const draft = await importer.replace(unit, record, bundle);
      const changed = named({ record: { ...draft, status: 'DRY-RUN' }, removed }, caller);
      const revision = unit.expected(revisionKeys.definition.of(policyId)) + 1;
      const policy = await policies.compile(changed.record, bundle, revision);
      const run = new Run(policy, unit, this.deps.run, policyId);
      blockTimers.startTicks(unit, policy);
      await announceTrial(run);
      unit.put('policy', INSTANCE, changed.record);
      run.record({ type: 'lifecycle', action: 'replace', did: caller.did });
      return changed;
    });
    return { policy: result.record, isValid: true, findings, ...(result.removed && { removed: result.removed }) };
  }

  /** Ends a trial and removes its data. */
  async draft(caller: Caller, policyId: string): Promise<StatusChange> {
    return this.#change(caller, policyId, 'draft', async ({ unit, policy }) => {
      const removed = await this.#end(unit, policyId);
      return { record: { ...policy.record, status: 'DRAFT' }, removed };
    });
  }

  /**
   * Publishes a draft under a version and removes the data of its trial. Throws `VERSION_INVALID`, `POLICY_FILE_TOO_LARGE`.
   * Refuses a policy with errors.
   */
  publish(caller: Caller, policyId: string, wanted: unknown): Promise<StatusChange> {
    return this.#validated(caller, policyId, 'publish', async (run) => {
      const { unit, policy } = run;
      const { record } = policy;
      const version = publishedVersion(policyId, wanted, record['previousVersion']);
      await this.#assertVersionFree(unit, record, version);
      await this.#assertReadable({ ...policy, record: { ...record, version } });
      const removed = await this.#begin(unit, policy);
      await forgetTrials(unit, policyId);
      const ledger = ledgerOf(run);
      const owner = ownerOf(run);
      await ledger.publishPolicy({ ...record, version }, await owner.credentials.rootDocument(record.owner));
      const messageId = await announce(run, owner, version);
      await ledger.announceTokens();
      const owned = { status: 'PUBLISH', version, messageId } as const;
      return { record: { ...record, ...owned, publishDate: isoNow(this.deps.clock) }, removed };
    });
  }

  /** Discontinues a published policy, now or at a date: from then on it can be read, and accepts no data. */
  async discontinue(caller: Caller, policyId: string, date?: unknown): Promise<StatusChange> {
    return this.#change(caller, policyId, 'discontinue', async (run) => {
      const { unit, policy } = run;
      const due = date === undefined || date === null ? null : this.#future(policyId, date);
      if (due === null) return { record: await this.#discontinued(run) };
      unit.put('timer', INSTANCE, discontinuation(policyId, due));
      const discontinuedDate = new Date(due).toISOString();
      await ledgerOf(run).discontinuePolicy(policy.record, discontinuedDate, true);
      return { record: { ...policy.record, discontinuedDate } };
    });
  }

  /** The findings for the policy's author; an error among them keeps the policy from running. */
  async findings(policyId: string): Promise<Finding[]> {
    const { policies, store } = this.deps;
    const policy = await policies.open(policyId);
    const parts = await storedParts(store, policy);
    return [...(await this.#allFindings(policy.tree, parts)), ...tokenFindings(parts.tokens)];
  }

  /** Findings about a definition that would replace the policy's. Throws `POLICY_INVALID`. */
  async findingsOf(record: StoredPolicy, bundle: CheckedBundle): Promise<Finding[]> {
    const { about, archived = false, schemas, tokens } = bundle;
    const { policyRoles, policyGroups, policyNavigation, policyTopics, policyTokens } = about;
    const facts = { policyRoles, policyGroups, policyNavigation, policyTopics, policyTokens };
    const as = { ...record, ...facts } as StoredPolicy;
    const { tree, tools } = await this.deps.policies.compile(as, bundle, 0);
    const parts = {
      archived,
      topics: policyTopics,
      tokenTemplates: policyTokens,
      tokens,
      schemas: [...schemas, ...tools.flatMap((tool) => tool.schemas)],
    };
    return this.#allFindings(tree, parts);
  }

  async #allFindings(tree: PolicyTree, parts: PolicyParts): Promise<Finding[]> {
    const share = new LoopShare(this.deps.clock);
    return [...tree.findings, ...(await share.carryOut(findingReferences(tree, parts)))];
  }

  /** No-op if the timer has fired or was deleted since. */
  async #discontinueAt({ id, policyId, due }: StatusTimer): Promise<void> {
    await this.deps.executor.run(lanes.policy.of(policyId), keysOf(policyId), async (unit) => {
      if ((await unit.get('timer', INSTANCE, id))?.due !== due) return;
      const policy = await this.deps.policies.open(policyId);
      const run = new Run(as(policy, 'DISCONTINUED'), unit, this.deps.run, policyId);
      unit.put('policy', INSTANCE, await this.#discontinued(run));
      run.record({ type: 'lifecycle', action: 'discontinue', did: policy.record.owner });
    });
  }

  /** A change that is denied to a policy with errors. */
  async #validated(caller: Caller, policyId: string, action: PolicyTransition, work: Work): Promise<StatusChange> {
    const { record, config } = await this.deps.policies.open(policyId);
    assertTransition(record, action, caller.did);
    await this.deps.tools.fetchMissing(record.owner, config);
    const findings = await this.findings(policyId);
    if (findings.some(({ severity }) => severity === 'error')) return { policy: record, isValid: false, findings };
    return this.#change(caller, policyId, action, work);
  }

  async #change(caller: Caller, policyId: string, action: PolicyTransition, work: Work): Promise<StatusChange> {
    const { executor, policies } = this.deps;
    const { result } = await executor.run(lanes.policy.of(policyId), keysOf(policyId), async (unit) => {
      const policy = await policies.open(policyId);
      assertTransition(policy.record, action, caller.did);
      const run = new Run(as(policy, policyTransitions[action].to), unit, this.deps.run, policyId);
      const changed = named(await work(run), caller);
      unit.put('policy', INSTANCE, changed.record);
      await carryEditsAcross(unit, policyId);
      run.record({ type: 'lifecycle', action, did: caller.did });
      return changed;
    });
    const { record, removed } = result;
    return { policy: record, isValid: true, findings: await this.findings(policyId), ...(removed && { removed }) };
  }

  async #begin(unit: UnitOfWork, policy: OpenPolicy): Promise<RemovedRecords> {
    const removed = await this.#end(unit, policy.id);
    this.deps.blockTimers.startTicks(unit, policy);
    return removed;
  }

  async #end(unit: UnitOfWork, policyId: string): Promise<RemovedRecords> {
    const removed = await clearTrial(unit, policyId);
    await deleteTimers(unit, policyId);
    return removed;
  }

  async #discontinued(run: Run): Promise<StoredPolicy> {
    const { record } = run.policy;
    await deleteTimers(run.unit, record.id);
    const discontinuedDate = isoNow(this.deps.clock);
    await ledgerOf(run).discontinuePolicy(record, discontinuedDate, false);
    return { ...record, status: 'DISCONTINUED', discontinuedDate };
  }

  async #assertVersionFree(unit: UnitOfWork, { id: policyId, uuid }: StoredPolicy, version: string): Promise<void> {
    const where = allOf(equalTo('uuid', uuid), equalTo('version', version));
    const others = await unit.find('policy', INSTANCE, { where });
    if (!others.some(({ id, status }) => id !== policyId && status !== 'DRAFT' && status !== 'DRY-RUN')) return;
    const reason = `version ${version} of this policy is already published here`;
    throw new BlockworkError('VERSION_INVALID', { facts: { policyId, reason } });
  }

  /** What is published is there for ever, and would be of no use. */
  async #assertReadable(policy: OpenPolicy): Promise<void> {
    const { run, exporter } = this.deps;
    const { publishesPolicies = false, policyFileBytes: most = Infinity } = run.externalLedger ?? {};
    if (!publishesPolicies || most === Infinity) return;
    const { length } = await exporter.policy(policy);
    if (length <= most) return;
    const reason = `published on the ledger, it has ${String(length)} bytes, and readers of the ledger take ${String(most)} at most; remove artifacts or files that it does not need`;
    throw new BlockworkError('POLICY_FILE_TOO_LARGE', { facts: { reason } });
  }

  #future(policyId: string, date: unknown): number {
    const due = typeof date === 'string' ? Date.parse(date) : NaN;
    if (due > this.deps.clock.now()) return due;
    throw new BlockworkError('DATE_INVALID', { facts: { policyId } });
  }
}

/** The policy's book, changed in the owner's name. */
const ledgerOf = (run: Run): ReturnType<Run['ledger']> => {
  const { owner } = run.policy.record;
  return run.ledger(policyUser({ did: owner }, owner, []));
};

/** The policy as it is about to be: messages on the ledger during the change are sent by it. */
const as = (policy: OpenPolicy, status: PolicyStatus): OpenPolicy => ({ ...policy, view: { ...policy.view, status } });

/** Stores the owner's user name, for reports. */
const named = (changed: Changed, { username }: Caller): Changed =>
  username === undefined ? changed : { ...changed, record: { ...changed.record, ownerName: username } };

/** A policy's own records, its definition, and the names and versions of all others. */
const keysOf = (policyId: string): RevisionKey[] => [
  revisionKeys.policy.of(policyId),
  revisionKeys.definition.of(policyId),
  revisionKeys.policies.of(),
];

/** What is done in the owner's name. */
const ownerOf = (run: Run): ReturnType<Run['context']> => {
  const { record, tree } = run.policy;
  return run.context(tree.root, policyUser({ did: record.owner }, record.owner, []));
};

/** Announces the publication on the ledger, signed by the owner. Resolves with the message's id. */
async function announce(
  { policy }: Run,
  { credentials, ledger }: ReturnType<typeof ownerOf>,
  version: string,
): Promise<string> {
  const { record, id } = policy;
  const { name, description, topicDescription, uuid, policyTag, owner } = record;
  const about = { name, description, topicDescription, uuid, policyTag, owner, version };
  await publishIdentity({ credentials, ledger }, owner);
  const credential = await credentials.issue({
    issuer: owner,
    subject: { id, type: 'Policy', ...about, operation: 'PUBLISH' },
  });
  const hash = credentials.hash(credential);
  return (await ledger.publish({ topic: 'root', type: 'policy', owner, hash, body: credential, document: credential }))
    .id;
}

/**
 * Trust chains of a trial begin at its announcement too. If the owner's keys are held elsewhere, it is made without a
 * signature.
 */
async function announceTrial(run: Run): Promise<void> {
  const owner = ownerOf(run);
  if (await owner.credentials.holdsKeyOf(run.policy.record.owner)) await announce(run, owner, 'Dry Run');
}

/** `due`: milliseconds since 1970. */
export const discontinuation = (policyId: string, due: number): StatusTimer => ({
  id: `${policyId}/discontinue`,
  type: 'discontinue',
  policyId,
  due,
});
