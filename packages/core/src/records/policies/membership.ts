/** A stored membership: which role a user holds in a policy, in which group, and whether it is the active one. */
import { z } from 'zod';
import { groupAccessType, groupRelationshipType } from '../enumerations.js';

export const membership = z.object({
  /** One row for each user in each group. */
  id: z.string(),
  /** The group; members of one group share it. */
  uuid: z.string(),
  policyId: z.string(),
  did: z.string(),
  username: z.string().optional(),
  /** The identity that owns the group. */
  owner: z.string(),
  role: z.string(),
  groupName: z.string(),
  groupLabel: z.string(),
  groupRelationshipType,
  groupAccessType,
  active: z.boolean(),
  /** Ledger message that proves the membership; absent where none was sent. */
  messageId: z.string().optional(),
  createDate: z.string(),
});
export type Membership = z.infer<typeof membership>;
