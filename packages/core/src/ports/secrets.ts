/** Secrets: values that blocks use and policies must not contain, such as passwords and tokens of services. */

/** Who asks for a secret. */
export interface SecretUse {
  readonly policyId: string;
  /** Who owns the policy. */
  readonly owner: string;
  /** The block. */
  readonly tag: string;
}

/** A policy refers to a secret by its name, as `{{secret:NAME}}`; names consist of letters, digits and `_`, 100 at most. */
export interface Secrets {
  /** The value now, asked for each time that it is used; `undefined` for a name that this policy has no secret of. */
  get(name: string, use: SecretUse): Promise<string | undefined>;
}
