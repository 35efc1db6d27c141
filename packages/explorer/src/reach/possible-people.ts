/** The roles that users can obtain in a policy. */
import type { PolicyTree } from '@blockwork/core/block';
import type { Player } from '../player.js';

export type Who = Pick<Player, 'isOwner' | 'role'>;

/** All possible actors: the owner, users without a role, and each role that is offered or comes with a group. */
export function possiblePeople({ blocks, groups }: PolicyTree): Who[] {
  const roles = new Set<string>();
  for (const node of blocks) {
    if (node.blockType !== 'policyRolesBlock') continue;
    const { roles: direct, groups: entered } = node.options as {
      roles?: readonly string[];
      groups?: readonly string[];
    };
    for (const role of direct ?? []) roles.add(role);
    for (const group of groups.filter(({ name }) => entered?.includes(name ?? '') === true)) {
      for (const role of [group.creator ?? '', ...(group.members ?? [])]) roles.add(role);
    }
  }
  const withRoles = [...roles].filter((role) => role !== '').map((role) => ({ isOwner: false, role }));
  const ownerWithRole = withRoles.map(({ role }) => ({ isOwner: true, role }));
  return [{ isOwner: true, role: null }, { isOwner: false, role: null }, ...withRoles, ...ownerWithRole];
}
