/** A policy's trials, for its owner: virtual users, savepoints and recordings. */
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { PolicyLifecycle } from '../lifecycle/index.js';
import type { Accounts } from '../ports/index.js';
import type { Recording, Savepoint, VirtualUser } from '../records/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import type { Workflow } from '../runtime/index.js';
import type { RecordReader } from '../transactions/index.js';
import { scenarioOf, type Recorder, type Savepoints, type Scenario, type TrialPeople } from '../trials/index.js';
import { trialOf } from '../context/index.js';
import type { Gate } from './gate.js';
import { ownPolicy } from './inspection/own-policy.js';
import type { PolicySight } from './people/policy-sight.js';

export interface TrialsDeps {
  readonly people: TrialPeople;
  readonly savepoints: Savepoints;
  readonly recorder: Recorder;
  readonly lifecycle: Pick<PolicyLifecycle, 'restart'>;
  readonly policies: CompiledPolicyCache;
  readonly sight: PolicySight;
  readonly workflow: Pick<Workflow, 'read'>;
  readonly store: RecordReader;
  readonly accounts: Accounts;
}

/** The state of a trial. */
export interface TrialState {
  readonly users: readonly VirtualUser[];
  /** The savepoint last created or restored. */
  readonly savepoint: string | null;
  readonly recording: Recording | null;
}

/**
 * Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`,
 * `ENGINE_CLOSED`. `POLICY_STATUS` means that the policy is not in a dry run.
 */
export class Trials {
  constructor(
    private readonly gate: Gate,
    private readonly deps: TrialsDeps,
  ) {}

  /**
   * Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { users, recording } = await engine.trials.get(owner, policyId);
   */
  async get(caller: Caller, policyId: string): Promise<TrialState> {
    await this.#own(caller, policyId);
    const { users, savepoint, recording } = await trialOf(this.deps.store, policyId);
    return { users, savepoint, recording };
  }

  /**
   * Creates a virtual user, who exists only in this policy's trials, until it is published. Throws
   * `POLICY_STATUS`, `VIRTUAL_USER_EXISTS`, `VIRTUAL_USERS_TOO_MANY`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { did } = await engine.trials.addUser(owner, policyId, 'Bob');
   */
  async addUser(caller: Caller, policyId: string, name?: string): Promise<VirtualUser> {
    await this.#own(caller, policyId);
    return this.deps.people.add(caller, policyId, name);
  }

  /**
   * Lets the owner act as a user of the trial: returns a caller with that user's permissions in this policy. Throws
   * `POLICY_STATUS`, `VIRTUAL_USER_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const asAlice = await engine.trials.caller(owner, policyId, alice.did);
   */
  async caller(owner: Caller, policyId: string, did: string): Promise<Caller> {
    await this.#own(owner, policyId);
    return this.deps.people.caller(owner, policyId, did);
  }

  /**
   * The savepoints, oldest first. Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const savepoints = await engine.trials.savepoints(owner, policyId);
   */
  async savepoints(caller: Caller, policyId: string): Promise<Savepoint[]> {
    await this.#own(caller, policyId);
    return this.deps.savepoints.list(policyId);
  }

  /**
   * Saves the trial's current state under a name. Savepoints outlive the trial: they remain when the policy returns to
   * draft, its file is replaced, and another trial starts. Throws `POLICY_STATUS`, `INPUT_INVALID`, `SAVEPOINTS_TOO_MANY`,
   * `SAVEPOINT_TOO_LARGE`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { id } = await engine.trials.makeSavepoint(owner, policyId, 'Before the approval');
   */
  async makeSavepoint(caller: Caller, policyId: string, name: string): Promise<Savepoint> {
    await this.#own(caller, policyId);
    if (typeof name !== 'string' || name.trim() === '') {
      throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'A savepoint needs a name.' } });
    }
    return this.deps.savepoints.make(caller, policyId, name);
  }

  /**
   * Restores a savepoint in one unit of work: documents, states, memberships, the book and the journal. The policy
   * itself is unchanged, timetables restart, and external effects are neither repeated nor undone. Other savepoints are
   * kept. Throws `POLICY_STATUS`, `SAVEPOINT_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.trials.restoreSavepoint(owner, policyId, savepointId);
   */
  async restoreSavepoint(caller: Caller, policyId: string, savepointId: string): Promise<Savepoint> {
    await this.#own(caller, policyId);
    return this.deps.savepoints.restore(caller, policyId, savepointId);
  }

  /**
   * Deletes a savepoint, whatever the policy's status; those derived from it are kept. Throws `SAVEPOINT_UNKNOWN`, and
   * the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.trials.deleteSavepoint(owner, policyId, savepointId);
   */
  async deleteSavepoint(caller: Caller, policyId: string, savepointId: string): Promise<void> {
    await this.#own(caller, policyId);
    return this.deps.savepoints.remove(caller, policyId, savepointId);
  }

  /**
   * Empties the trial and starts recording everything sent to it. Only recordings that start empty can be replayed.
   * Throws `POLICY_STATUS`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { recording } = await engine.trials.record(owner, policyId);
   */
  async record(caller: Caller, policyId: string): Promise<TrialState> {
    await this.#own(caller, policyId);
    await this.deps.lifecycle.restart(caller, policyId, true);
    return this.get(caller, policyId);
  }

  /**
   * The recording so far is kept. Throws `POLICY_STATUS`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example await engine.trials.stopRecording(owner, policyId);
   */
  async stopRecording(caller: Caller, policyId: string): Promise<TrialState> {
    await this.#own(caller, policyId);
    await this.deps.recorder.stop(caller, policyId);
    return this.get(caller, policyId);
  }

  /**
   * The recording so far as a scenario script: everything sent, and what each participant sees now. Throws
   * `RECORDING_UNKNOWN`, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example
   *   await engine.trials.record(owner, policyId);
   *   await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Writer' });
   *   const scenario = await engine.trials.scenario(owner, policyId);
   */
  async scenario(caller: Caller, policyId: string): Promise<Scenario> {
    await this.#own(caller, policyId);
    return scenarioOf(this.deps, policyId);
  }

  async #own(caller: Caller, policyId: string): Promise<void> {
    await ownPolicy(this.gate, this.deps.sight, caller, policyId);
  }
}
