/** Errors of the sandbox itself, in one table. */

interface SandboxErrorKind {
  readonly status: number;
  /** `{name}` is filled from the error's facts. */
  readonly message: string;
}

export const sandboxErrorTable = {
  LOGIN_REFUSED: { status: 401, message: 'Unauthorized request' },
  TOKEN_REFUSED: { status: 401, message: 'The {kind} token is of no account of this sandbox. Log in again.' },
  PROFILE_INCOMPLETE: { status: 403, message: 'A profile needs hederaAccountId and hederaAccountKey.' },
  NO_IDENTITY: { status: 403, message: 'The account has no DID yet. Set its profile first: PUT profiles/{username}.' },
  REGISTRY_ONLY: { status: 403, message: 'Only an account with the role STANDARD_REGISTRY may do this.' },
  NOT_A_TRIAL: { status: 403, message: 'Invalid status. Policy "{policyId}" is not in a dry run.' },
  ACCOUNT_UNKNOWN: { status: 404, message: 'There is no account "{username}".' },
  BLOCK_UNKNOWN: { status: 404, message: 'There is no block "{block}" in policy "{policyId}".' },
  MESSAGE_UNKNOWN: {
    status: 404,
    message: 'No policy file is known under message "{messageId}". Name it in the option messages of the sandbox.',
  },
  SCHEMA_UNKNOWN: { status: 404, message: 'There is no schema "{id}" that the caller has made here.' },
  THING_UNKNOWN: { status: 404, message: 'The caller has no {what} "{id}".' },
  FILE_UNKNOWN: { status: 404, message: 'No file was added under "{cid}".' },
  TOKEN_UNKNOWN: { status: 404, message: 'There is no token "{tokenId}" that the caller may do this with.' },
  TARGET_UNKNOWN: { status: 404, message: 'There is no {entity} "{target}" to tag.' },
  TOPIC_UNKNOWN: {
    status: 404,
    message: 'No policy has the topic "{topicId}", so there is nothing to make a version of.',
  },
  VIRTUAL_USER_UNKNOWN: { status: 404, message: 'Policy "{policyId}" has no virtual user "{did}".' },
  NO_DRAFT: { status: 422, message: 'The caller has no draft "{policyId}" to add files to.' },
  ALREADY_PUBLISHED: { status: 422, message: 'The {what} "{name}" is published, so it cannot be changed or deleted.' },
  SCHEMA_USED: { status: 422, message: 'The schema "{name}" is used by {users}. Remove it there first.' },
  FILE_REFUSED: { status: 422, message: 'The file cannot be used: {reason}.' },
  TOKEN_USED: { status: 422, message: 'The token "{tokenId}" is used by the policy "{policy}".' },
  TOKEN_OF_POLICY: {
    status: 409,
    message: 'The token "{tokenId}" is in the book of the policy "{policy}", whose blocks alone decide who holds it.',
  },
  TOKEN_REFUSED_BY_BOOK: { status: 422, message: 'The token "{tokenId}" of {account}: {reason}.' },
  PASSWORDS_DIFFER: { status: 422, message: 'Passwords must match' },
  ACCOUNT_EXISTS: { status: 409, message: 'An account with the same name already exists.' },
  NOT_IN_SANDBOX: { status: 501, message: 'The sandbox cannot do this: {reason}.' },
  STATE_NOT_KEPT: {
    status: 503,
    message: 'This was done, but a restart would forget it: {place} cannot be written ({reason}).',
  },
  SANDBOX_FULL: {
    status: 507,
    message: 'The sandbox has no room for more {what}, the limit {limit}. Raise the limit, or begin with an empty one.',
  },
} as const satisfies Record<string, SandboxErrorKind>;

export type SandboxErrorCode = keyof typeof sandboxErrorTable;

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;
  readonly status: number;

  constructor(code: SandboxErrorCode, facts: Readonly<Record<string, string | number>> = {}) {
    const kind: SandboxErrorKind = sandboxErrorTable[code];
    super(kind.message.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? '?')));
    this.code = code;
    this.status = kind.status;
  }
}
