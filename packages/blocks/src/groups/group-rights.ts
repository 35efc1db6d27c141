/** Who of a group's members may change it, as a policy says. */
import type { Membership } from '@blockwork/core/block';
import { z } from 'zod';

/** Whatever is not `all` means the owner. */
export const whoMay = z
  .string()
  .nullish()
  .transform((value): 'all' | 'owner' => (value === 'all' ? 'all' : 'owner'));

export const mayDo = (who: 'all' | 'owner', { did, owner }: Membership): boolean => who === 'all' || did === owner;
