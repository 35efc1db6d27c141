/** The trials of a policy, for its owner: the people in them, savepoints, and recordings. */
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { PolicyLifecycle } from '../lifecycle/index.js';
import type { Accounts } from '../ports/index.js';
import type { Recording, Savepoint, VirtualUser } from '../records/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import type { Workflow } from '../runtime/index.js';
import type { RecordReader } from '../transactions/index.js';
import {
  scenarioOf,
  trialOf,
  type Recorder,
  type Savepoints,
  type Scenario,
  type TrialPeople,
} from '../trials/index.js';
import type { Gate } from './gate.js';
import { ownPolicy } from './inspection/own-policy.js';

export interface TrialsDeps {
  readonly people: TrialPeople;
  readonly savepoints: Savepoints;
  readonly recorder: Recorder;
  readonly lifecycle: Pick<PolicyLifecycle, 'restart'>;
  readonly policies: CompiledPolicyCache;
  readonly workflow: Pick<Workflow, 'read'>;
  readonly store: RecordReader;
  readonly accounts: Accounts;
}

/** Where a trial is. */
export interface TrialState {
  readonly users: readonly VirtualUser[];
  /** The savepoint that the trial was kept as last, or went back to last. */
  readonly savepoint: string | null;
  readonly recording: Recording | null;
}

/**
 * Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`; those
 * that change something, and `caller`, throw `POLICY_STATUS` unless the policy is in a dry run.
 */
export class Trials {
  constructor(
    private readonly gate: Gate,
    private readonly deps: TrialsDeps,
  ) {}

  /** Throws what every method throws, `ENGINE_CLOSED` among them. */
  async get(caller: Caller, policyId: string): Promise<TrialState> {
    await this.#own(caller, policyId);
    const { users, savepoint, recording } = await trialOf(this.deps.store, policyId);
    return { users, savepoint, recording };
  }

  /**
   * Makes a person who exists in the trials of this policy only, until it is published. Throws `VIRTUAL_USER_EXISTS`,
   * `VIRTUAL_USERS_TOO_MANY`, and what every method throws, `ENGINE_CLOSED` among them.
   */
  async addUser(caller: Caller, policyId: string, name?: string): Promise<VirtualUser> {
    await this.#own(caller, policyId);
    return this.deps.people.add(caller, policyId, name);
  }

  /**
   * The owner as somebody of the trial: a caller who may do in this policy what that person may. Throws `VIRTUAL_USER_UNKNOWN`,
   * and what every method throws, `ENGINE_CLOSED` among them.
   */
  async caller(owner: Caller, policyId: string, did: string): Promise<Caller> {
    await this.#own(owner, policyId);
    return this.deps.people.caller(owner, policyId, did);
  }

  /** The savepoints, the oldest first. Throws what every method throws, `ENGINE_CLOSED` among them. */
  async savepoints(caller: Caller, policyId: string): Promise<Savepoint[]> {
    await this.#own(caller, policyId);
    return this.deps.savepoints.list(policyId);
  }

  /**
   * Keeps the trial as it is now under a name. Savepoints outlive the trial: they are there when the policy was a draft again,
   * was replaced by another file, and is tried anew. Throws `INPUT_INVALID`, `SAVEPOINTS_TOO_MANY`, `SAVEPOINT_TOO_LARGE`,
   * and what every method throws, `ENGINE_CLOSED` among them.
   */
  async makeSavepoint(caller: Caller, policyId: string, name: string): Promise<Savepoint> {
    await this.#own(caller, policyId);
    if (typeof name !== 'string' || name.trim() === '') {
      throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'A savepoint needs a name.' } });
    }
    return this.deps.savepoints.make(caller, policyId, name);
  }

  /**
   * Goes back to a savepoint, in one unit of work: documents, states, memberships, the book and the journal are what they were.
   * The policy stays as it is, timetables begin anew, and nothing outside is repeated or taken back. The other savepoints stay.
   * Throws `SAVEPOINT_UNKNOWN`, and what every method throws, `ENGINE_CLOSED` among them.
   */
  async restoreSavepoint(caller: Caller, policyId: string, savepointId: string): Promise<Savepoint> {
    await this.#own(caller, policyId);
    return this.deps.savepoints.restore(caller, policyId, savepointId);
  }

  /**
   * Deletes a savepoint, whatever the status of the policy; those that were made from it stay. Throws `SAVEPOINT_UNKNOWN`, and
   * what every method throws, `ENGINE_CLOSED` among them.
   */
  async deleteSavepoint(caller: Caller, policyId: string, savepointId: string): Promise<void> {
    await this.#own(caller, policyId);
    return this.deps.savepoints.remove(caller, policyId, savepointId);
  }

  /**
   * Empties the trial, and records from then on what is sent in it. Only what begins empty can be played again. Throws what
   * every method throws, `ENGINE_CLOSED` among them.
   */
  async record(caller: Caller, policyId: string): Promise<TrialState> {
    await this.#own(caller, policyId);
    await this.deps.lifecycle.restart(caller, policyId, true);
    return this.get(caller, policyId);
  }

  /** What was recorded stays. Throws what every method throws, `ENGINE_CLOSED` among them. */
  async stopRecording(caller: Caller, policyId: string): Promise<TrialState> {
    await this.#own(caller, policyId);
    await this.deps.recorder.stop(caller, policyId);
    return this.get(caller, policyId);
  }

  /**
   * The recording so far, as the script of a scenario: what was sent, and what everybody who took part sees now. Throws
   * `RECORDING_UNKNOWN`, and what every method throws, `ENGINE_CLOSED` among them.
   */
  async scenario(caller: Caller, policyId: string): Promise<Scenario> {
    await this.#own(caller, policyId);
    return scenarioOf(this.deps, policyId);
  }

  async #own(caller: Caller, policyId: string): Promise<void> {
    await ownPolicy(this.gate, this.deps.policies, caller, policyId);
  }
}
