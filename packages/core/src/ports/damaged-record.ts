/** A record that a store holds and cannot read: the cause of the `STORE_UNAVAILABLE` of a read that meets it, if the store knows which one it is. */
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

/** The damaged record that a read met; `null` if it failed otherwise. */
export function damagedRecordOf(error: unknown): DamagedRecord | null {
  const cause: unknown = error instanceof Error ? error.cause : null;
  return cause instanceof DamagedRecord ? cause : null;
}
