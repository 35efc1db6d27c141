/** A caller inside one policy: the role and group of their active membership, and whether they own the policy. */
import type { Membership } from '../records/index.js';
import type { Caller } from './caller.js';

export interface PolicyUser {
  readonly did: string;
  readonly username: string;
  /** Role of the active membership; `null` without one. */
  readonly role: string | null;
  /** Group of the active membership. */
  readonly group: string | null;
  readonly isOwner: boolean;
  /** Key of the user's block state: `<group>:<identity>`, or the identity alone. Each group has its own state. */
  readonly key: string;
}

const userKey = (did: string, group: string | null): string => (group === null ? did : `${group}:${did}`);

/** `caller` as a user of a policy owned by `owner`, given all their memberships in it. */
export function policyUser(
  caller: Pick<Caller, 'did' | 'username'>,
  owner: string,
  memberships: readonly Membership[],
): PolicyUser {
  return userAs(
    caller,
    owner,
    memberships.find((membership) => membership.active),
  );
}

/** The user as a member of one group, active or not; without a role if they are not a member. */
export function policyUserInGroup(
  did: string,
  owner: string,
  memberships: readonly Membership[],
  group: string | null,
): PolicyUser {
  return group === null
    ? policyUser({ did }, owner, memberships)
    : userAs(
        { did },
        owner,
        memberships.find((membership) => membership.uuid === group),
      );
}

function userAs(
  caller: Pick<Caller, 'did' | 'username'>,
  owner: string,
  membership: Membership | undefined,
): PolicyUser {
  const group = membership?.uuid ?? null;
  return {
    did: caller.did,
    username: caller.username ?? membership?.username ?? caller.did,
    role: membership?.role ?? null,
    group,
    isOwner: caller.did === owner,
    key: userKey(caller.did, group),
  };
}
