/** Findings: problems of a policy, reported to its author as data. */

/**
 * `error`: the block cannot work as written, or would show or do something it should not. `warning`: it works, but part
 * of it has no effect. `information`: worth knowing, and common in correct policies. None prevents an import.
 */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'information';
  readonly code: FindingCode;
  readonly message: string;
  /** JSON pointer (RFC 6901) into the policy's configuration; empty for the policy as a whole. */
  readonly path: string;
  /** UUID of the block, if the finding is about one. */
  readonly block?: string;
  readonly tag?: string;
  /** JSON pointer into the file, for what is not in the configuration, such as `/policyRoles/0`. */
  readonly pointer?: string;
  /** The file that it is in, if the policy was read from an archive, such as `policy.json` or `schemas/report.json`. */
  readonly file?: string;
  /** Where it is in the text that the policy was read from, if it was read from one; counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export type FindingCode =
  | 'BLOCK_TYPE_UNKNOWN'
  | 'BLOCK_MISPLACED'
  | 'ADDON_SWITCHED_OFF'
  | 'OPTIONS_INVALID'
  | 'OPTION_MISSPELT'
  | 'OPTION_UNKNOWN'
  | 'OPTION_IGNORED'
  | 'PERMISSION_UNKNOWN'
  | 'PERMISSION_MISSING'
  | 'BLOCK_UNREACHABLE'
  | 'TAG_MISSING'
  | 'TAG_REPEATED'
  | 'REFERENCE_UNKNOWN'
  | 'TOOL_MISSING'
  | 'TOOL_UNFIT'
  | 'LINK_DANGLING'
  | 'LINK_REPEATED'
  | 'LINK_NEVER_FIRES'
  | 'LINK_CIRCULAR'
  | 'DEPENDENCY_UNKNOWN'
  | 'DEPENDENCY_CIRCULAR'
  | 'SECRET_LITERAL'
  | 'SCHEMA_UNREADABLE'
  | 'SCHEMA_INVALID'
  | 'SCHEMA_DOUBTFUL'
  | 'TOKEN_UNREADABLE'
  | 'ROLE_UNKNOWN'
  | 'ROLE_UNREACHABLE'
  | 'VALUE_UNWRITTEN'
  | 'VALUE_UNREAD'
  | 'DOCUMENT_UNSAVED'
  | 'RECORD_FIELD_INVALID'
  | 'FILE_IGNORED'
  | 'MIGRATED';
