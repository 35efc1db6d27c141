/** What blocks remember: one row for each policy, block tag and user. */
import type { Json } from './json/json.js';

export interface BlockState {
  /** See `blockStateId`. */
  id: string;
  tag: string;
  /** `<group>:<identity>`, or the identity alone where the user has no group. */
  user: string;
  value: Json;
}

/** The length comes first, so that no two pairs of tag and user share an id. */
export const blockStateId = (tag: string, user: string): string => `${String(user.length)}/${user}/${tag}`;

/** That a block completed for a user: it took their data, or passed its RunEvent on. */
export interface Completion {
  id: string;
  tag: string;
  did: string;
  group: string | null;
}
