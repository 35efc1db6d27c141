/** State of blocks: one row per policy, block tag and user. */
import type { Json } from './json/json.js';

export interface BlockState {
  /** See `blockStateId`. */
  id: string;
  tag: string;
  /** `<group>:<identity>`, or the identity alone where the user has no group. */
  user: string;
  value: Json;
}

/** The length prefix keeps ids of different pairs distinct. */
export const blockStateId = (tag: string, user: string): string => `${String(user.length)}/${user}/${tag}`;

/** Records that a block completed for a user: it accepted data, or passed on its RunEvent. */
export interface Completion {
  id: string;
  tag: string;
  did: string;
  group: string | null;
}
