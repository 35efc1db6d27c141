/** Callers as members of policies: their memberships, and policies as they see them. */
import { policyAsSeen, policyUser, type Caller, type PolicyUser } from '../../access/index.js';
import { membershipsOf } from '../../context/index.js';
import type { Membership, PolicyRecord, StoredPolicy } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';

export class Members {
  constructor(private readonly records: RecordReader) {}

  membershipsOf(caller: Caller, policyId: string): Promise<Membership[]> {
    return membershipsOf(this.records, policyId, caller.did);
  }

  /** The policy's record with the caller's roles and groups. */
  async asSeen(caller: Caller, record: StoredPolicy): Promise<PolicyRecord> {
    const memberships = await this.membershipsOf(caller, record.id);
    return policyAsSeen(record, policyUser(caller, record.owner, memberships), memberships);
  }

  /** The caller as a user of the policy. */
  async userIn(caller: Caller, { id, owner }: Pick<StoredPolicy, 'id' | 'owner'>): Promise<PolicyUser> {
    return policyUser(caller, owner, await this.membershipsOf(caller, id));
  }
}
