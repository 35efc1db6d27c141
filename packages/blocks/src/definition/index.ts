/** Policies as code. */
export type { BlockMembers, CommonMembers } from './block-members.js';
export {
  definePolicy,
  type BlockDefinition,
  type BlockOf,
  type LinkDefinition,
  type PolicyDefinition,
} from './define-policy.js';
