/** One difference between two policies, as text. */

export interface PolicyChange {
  readonly area: 'policy' | 'role' | 'token' | 'schema' | 'block' | 'event' | 'file';
  /** The role, token, schema or file, or the tag of the block, that changed. */
  readonly name: string;
  /** One sentence. */
  readonly change: string;
}
