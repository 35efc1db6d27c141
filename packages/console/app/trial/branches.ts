/** Savepoints as a tree. */

export interface SavepointRow {
  readonly id: string;
  readonly name: string;
  readonly createDate: string;
  readonly parent: string | null;
  readonly documents: number;
}

export interface Branch {
  readonly savepoint: SavepointRow;
  readonly children: readonly Branch[];
}

/** In the order given, each below the one it was made from; one whose origin is not there stands by itself. */
export function branchesOf(savepoints: readonly SavepointRow[]): Branch[] {
  const known = new Set(savepoints.map(({ id }) => id));
  const below = (parent: string | null): Branch[] =>
    savepoints
      .filter((each) => (each.parent !== null && known.has(each.parent) ? each.parent : null) === parent)
      .map((savepoint) => ({ savepoint, children: below(savepoint.id) }));
  return below(null);
}
