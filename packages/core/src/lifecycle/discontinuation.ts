/** The timer that discontinues a policy at a date. */
import type { StatusTimer } from '../records/index.js';

/** `due`: milliseconds since 1970. */
export const discontinuation = (policyId: string, due: number): StatusTimer => ({
  id: `${policyId}/discontinue`,
  type: 'discontinue',
  policyId,
  due,
});
