/** References from the options of a block to other parts of its policy. */
import type { Finding } from './finding.js';

/**
 * - `schema`: the IRI of a schema. `token`: the id of a token.
 * - `tokenTemplate`: the `templateTokenTag` of a token template. `topic`: the name of a topic.
 * - `group`: the name of a group. `role`: the name of a role. `field`: a field of the documents that reach the block.
 * - `text`: any text that may be replaced by a module variable.
 */
export type ReferenceTarget = (typeof referenceTargets)[number];

export const referenceTargets = [
  'schema',
  'token',
  'tokenTemplate',
  'topic',
  'group',
  'role',
  'field',
  'text',
] as const;

export interface Reference {
  readonly to: ReferenceTarget;
  /** The name as written. An empty name is not checked. */
  readonly name: string;
  /** JSON pointer to the option, relative to the block, such as `/schema`. */
  readonly path: string;
  /** Default: `error`, the block cannot work without it. `warning`: without it, the block shows nothing. */
  readonly severity?: Finding['severity'];
}
