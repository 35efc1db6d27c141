/**
 * A record that a store holds but cannot read: the cause of a read's `STORE_UNAVAILABLE`, if the store can identify the
 * record.
 */
export class DamagedRecord extends Error {
  constructor(
    readonly kind: string,
    readonly partition: string,
    readonly id: string,
    cause?: unknown,
  ) {
    super(`The record "${id}" of kind "${kind}" in partition "${partition}" is damaged.`, { cause });
  }
}

/** The damaged record that made a read fail; `null` if it failed for another reason. */
export function damagedRecordOf(error: unknown): DamagedRecord | null {
  const cause: unknown = error instanceof Error ? error.cause : null;
  return cause instanceof DamagedRecord ? cause : null;
}
