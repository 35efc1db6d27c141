/** Document counts of a policy or one of its users, maintained while there are quotas. */

export interface DocumentUsageRecord {
  /** `policy`, or `user/<did>` for what one user owns. */
  id: string;
  documents: number;
  /** Total size of the documents as JSON. */
  bytes: number;
  /** A user's record counts only with that of the policy which has the same one. */
  generation: string;
}
