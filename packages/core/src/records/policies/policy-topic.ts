/** A topic that a policy writes its messages to (interface, "Policy topic"). */
import { z } from 'zod';
import { memoObject } from '../enumerations.js';

export const policyTopic = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  memoObj: memoObject.optional(),
  static: z.boolean().optional(),
  type: z.string().optional(),
});
export type PolicyTopic = z.infer<typeof policyTopic>;
