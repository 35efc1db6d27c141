/** A recorded test of a policy and how its last run ended (interface, "Policy test"). */
import { z } from 'zod';
import { testStatus } from '../enumerations.js';
import { timestamp, uuid } from '../identifiers.js';

export const policyTest = z.looseObject({
  id: z.string().optional(),
  uuid: uuid.optional(),
  name: z.string().optional(),
  policyId: z.string().optional(),
  owner: z.string().optional(),
  status: testStatus.optional(),
  date: timestamp.optional(),
  duration: z.number().optional(),
  progress: z.number().optional(),
  resultId: uuid.optional(),
  result: z.string().optional(),
});
