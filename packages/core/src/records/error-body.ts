/** The body of every refused request, as the contract has it. */
import type { errorBody, errorDetail } from '@blockwork/contract/records';
import type { z } from 'zod';

export { errorBody, errorDetail } from '@blockwork/contract/records';

export type ErrorDetail = z.infer<typeof errorDetail>;
export type ErrorBody = z.infer<typeof errorBody>;
