/** References: what the options of a block name elsewhere in its policy. */
import type { Finding } from './finding.js';

/**
 * - `schema`: the IRI of a schema. `token`: the id of a token.
 * - `tokenTemplate`: the `templateTokenTag` of a token template. `topic`: the name of a topic.
 * - `group`: the name of a group. `role`: the name of a role.
 */
export type ReferenceTarget = 'schema' | 'token' | 'tokenTemplate' | 'topic' | 'group' | 'role';

export interface Reference {
  readonly to: ReferenceTarget;
  /** The name as written. An empty one refers to nothing. */
  readonly name: string;
  /** JSON pointer from the block to the option that holds the name, such as `/schema`. */
  readonly path: string;
  /** `error` when absent: the block cannot work without it. */
  readonly severity?: Finding['severity'];
}
