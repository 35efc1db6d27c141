/** An instance's positions on its link, the instances that it trusts, and the policies that others host. */

export interface LinkPositionRecord {
  /** The topic. */
  id: string;
  /** Every message up to this one has been received. */
  after: string;
}

/** A policy that is hosted by another instance; the local record is a view of it. */
export interface PolicyHost {
  /** The policy's id. */
  id: string;
  instance: string;
}

/** A run-time change of the trust in another instance; takes precedence over the option `peers`. */
export interface TrustedPeer {
  /** The name of the instance. */
  id: string;
  /** Its Ed25519 public key as JWK; `null` for an instance that is not trusted any more. */
  key: { kty: string; crv: string; x: string } | null;
  /** DIDs that it may speak for, or prefixes that end in `*`. */
  identities: string[];
}

/** Refused messages of other instances; one record per instance. */
export interface Refusals {
  id: string;
  /** By reason. */
  counts: Record<string, number>;
  /** Newest first. */
  latest: { at: string; reason: string; detail: string; instance: string | null; messageId: string }[];
}
