/** What every reader of policies needs to be given. */
import type { Ids } from '../../ports/index.js';
import type { PolicyFileLimits } from './limits.js';

export interface ReadPolicyOptions {
  /** Gives ids to blocks that have none, or none that can be used. */
  readonly ids: Ids;
  /** Replaces some of `defaultPolicyFileLimits`. */
  readonly limits?: Partial<PolicyFileLimits>;
}
