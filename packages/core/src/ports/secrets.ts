/** Secrets: values that blocks use and policies must not contain, such as passwords and tokens of services. */

/** Where a secret is used. */
export interface SecretUse {
  readonly policyId: string;
  /** The owner of the policy. */
  readonly owner: string;
  /** The tag of the block. */
  readonly tag: string;
}

/**
 * A policy refers to a secret by name, as `{{secret:NAME}}`; names consist of letters, digits and `_`, at most 100
 * characters.
 */
export interface Secrets {
  /** The current value, read on each use; `undefined` if this policy has no secret of that name. */
  get(name: string, use: SecretUse): Promise<string | undefined>;
}
