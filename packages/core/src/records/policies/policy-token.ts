/** The template of a token that users of a policy create (interface, "Policy token definition"). */
import { z } from 'zod';
import { tokenType } from '../enumerations.js';

export const policyToken = z.looseObject({
  tokenName: z.string().optional(),
  tokenSymbol: z.string().optional(),
  tokenType: tokenType.optional(),
  decimals: z.string().optional(),
  changeSupply: z.boolean().optional(),
  enableAdmin: z.boolean().optional(),
  enableFreeze: z.boolean().optional(),
  enableKYC: z.boolean().optional(),
  enableWipe: z.boolean().optional(),
  templateTokenTag: z.string().optional(),
});
export type PolicyToken = z.infer<typeof policyToken>;
