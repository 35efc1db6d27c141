/** Policies as code. */
export type { BlockMembers, CommonMembers } from './block-members.js';
export {
  definePolicy,
  type BlockDefinition,
  type BlockOf,
  type DefinedPolicy,
  type DocumentOf,
  type FormOf,
  type LinkDefinition,
  type PolicyDefinition,
  type TagOf,
} from './define-policy.js';
export {
  defineSchema,
  type JsonSchemaOf,
  type SchemaDefinition,
  type SubjectOf,
  type WrittenSchema,
} from './define-schema.js';
