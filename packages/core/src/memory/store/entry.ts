/** A record in its place among the records of one kind and partition. */

/** Any record: what the table engine needs to know of its value. */
export interface RecordValue {
  readonly id: string;
}

/**
 * Never changed: a record that is overwritten gets a new entry with the same `seq`, so that whoever holds
 * the old one still sees the old value.
 */
export interface Entry {
  /** Grows with each record inserted; an overwritten record keeps it. */
  readonly seq: number;
  readonly value: RecordValue;
}
