/** What a policy is compiled with, besides its blocks and the block types. */
import type { NavigationEntry, PolicyGroup } from '../../records/index.js';

/** What the blocks of a policy refer to besides one another. */
export interface CompileFacts {
  /** Named in errors. */
  readonly policyId?: string;
  readonly roles: readonly string[];
  readonly groups: readonly PolicyGroup[];
  readonly navigation: readonly NavigationEntry[];
}
