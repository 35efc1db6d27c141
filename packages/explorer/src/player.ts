/** The users of an exploration, and the roles that they have taken. */
import type { Caller } from '@blockwork/core';

export interface Player {
  readonly name: string;
  readonly caller: Caller;
  readonly isOwner: boolean;
  readonly account: string;
  /** The role in the policy; `null` before one was taken. */
  role: string | null;
}

/** A player's name in reports: the role, since generated user names carry no meaning. */
export const whoOf = ({ isOwner, role }: Pick<Player, 'isOwner' | 'role'>): string =>
  isOwner ? 'owner' : (role ?? 'without a role');
