/** Findings: problems of a policy, reported to its author as data. */

/**
 * `error`: the block cannot work as written. `warning`: it works, but something in it has no effect.
 * Neither prevents an import.
 */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: FindingCode;
  readonly message: string;
  /** JSON pointer (RFC 6901) into the policy's configuration; empty for the policy as a whole. */
  readonly path: string;
  /** UUID of the block, if the finding is about one. */
  readonly block?: string;
  readonly tag?: string;
}

export type FindingCode =
  | 'BLOCK_TYPE_UNKNOWN'
  | 'BLOCK_MISPLACED'
  | 'OPTIONS_INVALID'
  | 'PERMISSION_UNKNOWN'
  | 'TAG_MISSING'
  | 'REFERENCE_UNKNOWN'
  | 'TOOL_MISSING'
  | 'TOOL_UNFIT'
  | 'LINK_DANGLING'
  | 'LINK_REPEATED'
  | 'LINK_NEVER_FIRES'
  | 'DEPENDENCY_UNKNOWN'
  | 'DEPENDENCY_CIRCULAR'
  | 'SCHEMA_UNREADABLE'
  | 'TOKEN_UNREADABLE'
  | 'ROLE_UNKNOWN'
  | 'RECORD_FIELD_INVALID'
  | 'FILE_IGNORED'
  | 'MIGRATED';
