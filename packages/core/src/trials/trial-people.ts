/** Virtual users in the trials of one policy: its owner creates them, and acts as any of them. */
import type { Caller } from '../access/index.js';
import type { CompiledPolicyCache } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { isoNow, type Clock, type Ids } from '../ports/index.js';
import type { VirtualUser } from '../records/index.js';
import { lanes, revisionKeys, type Executor, type RecordReader } from '../transactions/index.js';
import { assertTrial, journal, trialOf } from '../context/index.js';

export interface TrialPeopleDeps {
  readonly executor: Executor;
  readonly policies: CompiledPolicyCache;
  readonly store: RecordReader;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: { readonly virtualUsers: number };
}

/** Permissions of virtual users beyond those of the policy itself. */
const permissions = ['POLICIES_POLICY_READ', 'POLICIES_POLICY_EXECUTE'];

const LONGEST_NAME = 100;

export class TrialPeople {
  constructor(private readonly deps: TrialPeopleDeps) {}

  /** In order of creation. */
  async list(policyId: string): Promise<VirtualUser[]> {
    return (await trialOf(this.deps.store, policyId)).users;
  }

  /** Named "User" and a number if no name is given. Throws `VIRTUAL_USER_EXISTS`, `VIRTUAL_USERS_TOO_MANY`. */
  async add(caller: Caller, policyId: string, name: string | undefined): Promise<VirtualUser> {
    const { executor, policies, clock, ids, limits } = this.deps;
    const key = revisionKeys.policy.of(policyId);
    const { result } = await executor.run(lanes.policy.of(policyId), [key], async (unit) => {
      assertTrial(await policies.open(policyId), 'add a user', caller);
      const trial = await trialOf(unit, policyId);
      const count = trial.users.length;
      if (count >= limits.virtualUsers)
        throw new BlockworkError('VIRTUAL_USERS_TOO_MANY', { facts: { policyId, count } });
      const user = {
        did: `did:example:trial:${ids.uuid().replaceAll('-', '')}`,
        name: nameFor(policyId, name, trial.users),
        createDate: isoNow(clock),
      };
      unit.put('trial', policyId, { ...trial, users: [...trial.users, user] });
      journal(unit, key, { policyId, action: 'add a user', did: caller.did }, clock);
      return user;
    });
    return result;
  }

  /**
   * The virtual user as a caller, for the owner of the policy; the owner themselves for their own DID. Throws
   * `POLICY_NOT_OWNED`, `POLICY_STATUS`, `VIRTUAL_USER_UNKNOWN`.
   */
  async caller(owner: Caller, policyId: string, did: string): Promise<Caller> {
    const { policies, store } = this.deps;
    assertTrial(await policies.open(policyId), 'act as a user', owner);
    if (did === owner.did) return owner;
    const user = (await trialOf(store, policyId)).users.find((each) => each.did === did);
    if (user === undefined) throw new BlockworkError('VIRTUAL_USER_UNKNOWN', { facts: { policyId, did } });
    return { did, username: user.name, permissions };
  }
}

function nameFor(policyId: string, wanted: string | undefined, users: readonly VirtualUser[]): string {
  const isTaken = (name: string): boolean => users.some((user) => user.name === name);
  const name = wanted?.trim().slice(0, LONGEST_NAME) ?? '';
  if (name !== '') {
    if (isTaken(name)) throw new BlockworkError('VIRTUAL_USER_EXISTS', { facts: { policyId, name } });
    return name;
  }
  let number = users.length + 1;
  while (isTaken(`User ${String(number)}`)) number += 1;
  return `User ${String(number)}`;
}
