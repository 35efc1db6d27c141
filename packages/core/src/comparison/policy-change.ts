/** One difference between two policies, in words. */

export interface PolicyChange {
  readonly area: 'policy' | 'role' | 'token' | 'schema' | 'block' | 'event' | 'file';
  /** What changed: a role, a token, a schema, a file, or the tag of a block. */
  readonly name: string;
  /** One sentence. */
  readonly change: string;
}
