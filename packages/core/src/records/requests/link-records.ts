/** An instance's positions on its link, and the policies that other instances host. */

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
