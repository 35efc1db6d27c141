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

/** How reports call a player: by the role, since names mean nothing. */
export const whoOf = ({ isOwner, role }: Pick<Player, 'isOwner' | 'role'>): string =>
  isOwner ? 'owner' : (role ?? 'without a role');
