/** Where a policy came from, in the words of the program that imported it: each origin is imported once. */
export interface PolicyOrigin {
  /** The origin, for instance the name of a file. */
  id: string;
  policyId: string;
  /** How many documents were imported with the policy. */
  documents: number;
}
