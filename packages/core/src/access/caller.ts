/** The caller: an identity verified beforehand, and what the platform permits it. */
export interface Caller {
  /** The identity, normally a DID. It decides about ownership and memberships in policies. */
  readonly did: string;
  readonly username?: string;
  /** Platform role, looked up in the permission table. Roles within policies come from memberships, never from here. */
  readonly role?: string;
  /** Platform permissions by name; when given, they replace those of the role. */
  readonly permissions?: readonly string[];
}
