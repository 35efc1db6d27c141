/** The template of a group: who may found one, who may join, how it is shared (interface, "Policy group"). */
import { z } from 'zod';
import { groupAccessType, groupRelationshipType } from '../enumerations.js';

export const policyGroup = z.looseObject({
  name: z.string().optional(),
  creator: z.string().optional(),
  groupAccessType: groupAccessType.optional(),
  groupRelationshipType: groupRelationshipType.optional(),
  members: z.array(z.string()).optional(),
});
export type PolicyGroup = z.infer<typeof policyGroup>;
