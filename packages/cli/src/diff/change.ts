/** One difference between two policies. */

export interface Change {
  readonly area: 'policy' | 'role' | 'token' | 'schema' | 'block' | 'event';
  /** What changed: a role, a token, a schema, or the tag of a block. */
  readonly name: string;
  /** One sentence. */
  readonly change: string;
}
