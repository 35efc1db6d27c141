/** A user's place in a group of a policy, as callers see it (interface, "Group membership"). */
import { z } from 'zod';
import { uuid } from '../identifiers.js';

export const groupMembership = z.looseObject({
  uuid: uuid.optional(),
  role: z.string().optional(),
  groupLabel: z.string().optional(),
  groupName: z.string().optional(),
  active: z.boolean().optional(),
});
export type GroupMembership = z.infer<typeof groupMembership>;
