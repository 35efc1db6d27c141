/** Where a policy came from, in the words of the program that imported it: each origin is imported once. */
/** The origin of a policy that another instance offered. */
export const offeredOrigin = (policyId: string): string => `offer/${policyId}`;

export interface PolicyOrigin {
  /** The origin, for instance the name of a file. */
  id: string;
  policyId: string;
  /** How many documents were imported with the policy. */
  documents: number;
}
