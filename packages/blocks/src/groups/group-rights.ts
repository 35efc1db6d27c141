/** Which members may change a group, according to the policy. */
import type { Membership } from '@blockwork/core/block';
import { z } from 'zod';

/** Any value but `all` means the owner. */
export const whoMay = z
  .string()
  .nullish()
  .transform((value): 'all' | 'owner' => (value === 'all' ? 'all' : 'owner'));

export const mayDo = (who: 'all' | 'owner', { did, owner }: Membership): boolean => who === 'all' || did === owner;
