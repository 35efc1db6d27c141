/** Callers as members of policies: their memberships, and their view of policies. */
import { policyAsSeen, policyUser, type Caller, type PolicyUser } from '../../access/index.js';
import { membershipsOf, membershipsOfEach } from '../../context/index.js';
import { NO_ROLE } from '../interface/policy-interface.js';
import type { Membership, PolicyRecord, StoredPolicy } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';

export class Members {
  constructor(private readonly records: RecordReader) {}

  membershipsOf(caller: Caller, policyId: string): Promise<Membership[]> {
    return membershipsOf(this.records, policyId, caller.did);
  }

  /** The caller's roles in all their groups; `NO_ROLE` if they have none. */
  async rolesOf(caller: Caller, policyId: string): Promise<string[]> {
    const roles = (await this.membershipsOf(caller, policyId)).map(({ role }) => role);
    return roles.length === 0 ? [NO_ROLE] : roles;
  }

  /** The policy's record with the caller's roles and groups. */
  async asSeen(caller: Caller, record: StoredPolicy): Promise<PolicyRecord> {
    return shownTo(caller, record, await this.membershipsOf(caller, record.id));
  }

  /** `asSeen` for several records, with a single query if the store supports it. */
  async eachAsSeen(caller: Caller, records: readonly StoredPolicy[]): Promise<PolicyRecord[]> {
    const policyIds = records.map(({ id }) => id);
    const memberships = await membershipsOfEach(this.records, policyIds, caller.did);
    return records.map((record, at) => shownTo(caller, record, memberships[at] ?? []));
  }

  /** The caller as a user of the policy. */
  async userIn(caller: Caller, { id, owner }: Pick<StoredPolicy, 'id' | 'owner'>): Promise<PolicyUser> {
    return policyUser(caller, owner, await this.membershipsOf(caller, id));
  }
}

const shownTo = (caller: Caller, record: StoredPolicy, memberships: readonly Membership[]): PolicyRecord =>
  policyAsSeen(record, policyUser(caller, record.owner, memberships), memberships);
