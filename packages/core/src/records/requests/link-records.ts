/** What an instance remembers of its link: how far it has read a topic, and which policies live elsewhere. */

export interface LinkPositionRecord {
  /** The topic. */
  id: string;
  /** Every message up to this one has been received. */
  after: string;
}

/** A policy that is hosted by another instance; what is here is a view of it. */
export interface PolicyHost {
  /** The policy's id. */
  id: string;
  instance: string;
}
