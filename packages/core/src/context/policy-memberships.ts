/** One policy's memberships: roles and groups of its members. */
import { policyUserInGroup, type PolicyUser } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import { isoNow } from '../ports/index.js';
import type { Clock, Ids } from '../ports/index.js';
import { equalTo, allOf } from '../records/index.js';
import type { Membership, PolicyGroup } from '../records/index.js';
import type { MembershipReader, MembershipWriter, PolicyView } from '../block-api/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';

export const membershipsOf = (records: RecordReader, policyId: string, did: string): Promise<Membership[]> =>
  records.find('membership', policyId, { where: equalTo('did', did) });

/** `membershipsOf` for several policies. */
export async function membershipsOfEach(
  records: RecordReader,
  policyIds: readonly string[],
  did: string,
): Promise<Membership[][]> {
  if (records.findEach !== undefined) return records.findEach('membership', policyIds, equalTo('did', did));
  return Promise.all(policyIds.map((policyId) => membershipsOf(records, policyId, did)));
}

export class PolicyMemberships implements MembershipReader {
  constructor(
    protected readonly records: RecordReader,
    protected readonly policy: PolicyView,
    protected readonly user: PolicyUser,
  ) {}

  mine(): Promise<Membership[]> {
    return membershipsOf(this.records, this.policy.id, this.user.did);
  }

  inGroup(uuid: string): Promise<Membership[]> {
    return this.records.find('membership', this.policy.id, { where: equalTo('uuid', uuid) });
  }

  all(): Promise<Membership[]> {
    return this.records.find('membership', this.policy.id);
  }
}

/** The facts of a group the user is about to join. */
type Entry = Pick<
  Membership,
  'uuid' | 'owner' | 'role' | 'groupName' | 'groupLabel' | 'groupRelationshipType' | 'groupAccessType'
>;

export class PolicyMembershipsWriter extends PolicyMemberships implements MembershipWriter {
  constructor(
    private readonly unit: UnitOfWork,
    policy: PolicyView,
    user: PolicyUser,
    private readonly ports: { readonly clock: Clock; readonly ids: Ids },
  ) {
    super(unit, policy, user);
  }

  /** A role taken directly is a group with one member: `Single`, `Private`, named after the role. */
  async takeRole(role: string): Promise<PolicyUser> {
    const mine = await this.mine();
    if (mine.some((membership) => membership.role === role)) this.#refuse(role);
    return this.#enter(mine, {
      uuid: this.ports.ids.uuid(),
      owner: this.user.did,
      role,
      groupName: role,
      groupLabel: role,
      groupRelationshipType: 'Single',
      groupAccessType: 'Private',
    });
  }

  /**
   * - `Multiple`, `Global`: the template's single group, created by its first member and owned by the policy's owner.
   * - `Multiple`, `Private`: a group owned by the user for each label; others join by invitation.
   * - `Single`, any access: a group with one member, once per template.
   */
  async enterGroup(group: PolicyGroup, label?: string): Promise<PolicyUser> {
    const mine = await this.mine();
    const groupName = group.name ?? '';
    const written = label?.trim() ?? '';
    const groupLabel = written === '' ? groupName : written;
    const groupRelationshipType = group.groupRelationshipType ?? 'Single';
    const groupAccessType = group.groupAccessType ?? 'Private';
    const shared = groupRelationshipType === 'Multiple' && groupAccessType === 'Global';
    const labelled = groupRelationshipType === 'Multiple' && groupAccessType === 'Private';
    const groupMembers = mine.filter((membership) => membership.groupName === groupName);
    if (labelled ? groupMembers.some((membership) => membership.groupLabel === groupLabel) : groupMembers.length > 0) {
      this.#refuse(labelled ? groupLabel : groupName);
    }
    const entry = { role: group.creator ?? '', groupName, groupRelationshipType, groupAccessType };
    if (!shared) {
      return this.#enter(mine, { ...entry, uuid: this.ports.ids.uuid(), owner: this.user.did, groupLabel });
    }
    const [founded] = await this.records.find('membership', this.policy.id, {
      where: allOf(
        equalTo('groupName', groupName),
        equalTo('groupRelationshipType', 'Multiple'),
        equalTo('groupAccessType', 'Global'),
      ),
      limit: 1,
    });
    return this.#enter(mine, {
      ...entry,
      uuid: founded?.uuid ?? this.ports.ids.uuid(),
      owner: this.policy.owner,
      groupLabel: groupName,
    });
  }

  invite(group: string, role: string): Promise<string> {
    const id = this.ports.ids.uuid();
    this.unit.put('invitation', this.policy.id, {
      id,
      group,
      role,
      by: this.user.did,
      createDate: isoNow(this.ports.clock),
    });
    return Promise.resolve(id);
  }

  async join(id: string): Promise<PolicyUser> {
    const invitation = await this.unit.get('invitation', this.policy.id, id);
    const [member] = invitation === undefined ? [] : await this.inGroup(invitation.group);
    if (invitation === undefined || invitation.takenBy !== undefined || member === undefined) {
      throw new BlockworkError('INVITATION_UNKNOWN', { facts: { policyId: this.policy.id } });
    }
    const mine = await this.mine();
    if (mine.some((membership) => membership.uuid === invitation.group)) this.#refuse(member.groupLabel);
    this.unit.put('invitation', this.policy.id, { ...invitation, takenBy: this.user.did });
    const { uuid, owner, groupName, groupLabel, groupRelationshipType, groupAccessType } = member;
    const { role } = invitation;
    return this.#enter(mine, { uuid, owner, role, groupName, groupLabel, groupRelationshipType, groupAccessType });
  }

  /** Activates another membership of the user, if there is one. */
  async remove(group: string, did: string): Promise<Membership> {
    const theirs = await membershipsOf(this.unit, this.policy.id, did);
    const membership = theirs.find((candidate) => candidate.uuid === group);
    if (membership === undefined) {
      throw new BlockworkError('MEMBERSHIP_UNKNOWN', { facts: { policyId: this.policy.id, group } });
    }
    this.unit.delete('membership', this.policy.id, membership.id);
    const next = theirs.find((candidate) => candidate !== membership);
    if (membership.active && next !== undefined) this.unit.put('membership', this.policy.id, { ...next, active: true });
    return membership;
  }

  prove(membership: Membership, messageId: string): Promise<void> {
    this.unit.put('membership', this.policy.id, { ...membership, messageId });
    return Promise.resolve();
  }

  #enter(mine: readonly Membership[], entry: Entry): PolicyUser {
    const membership: Membership = {
      ...entry,
      id: this.ports.ids.uuid(),
      policyId: this.policy.id,
      did: this.user.did,
      username: this.user.username,
      active: !mine.some((other) => other.active),
      createDate: isoNow(this.ports.clock),
    };
    this.unit.put('membership', this.policy.id, membership);
    return policyUserInGroup(this.user.did, this.policy.owner, [membership], membership.uuid);
  }

  #refuse(role: string): never {
    throw new BlockworkError('ROLE_TAKEN', { facts: { policyId: this.policy.id, role } });
  }
}
