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

/** In the given order, each below its parent; a savepoint without a known parent is a root. */
export function branchesOf(savepoints: readonly SavepointRow[]): Branch[] {
  const known = new Set(savepoints.map(({ id }) => id));
  const below = (parent: string | null): Branch[] =>
    savepoints
      .filter((each) => (each.parent !== null && known.has(each.parent) ? each.parent : null) === parent)
      .map((savepoint) => ({ savepoint, children: below(savepoint.id) }));
  return below(null);
}
