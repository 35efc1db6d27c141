/** Lots: which serials of a non-fungible token an account holds, in rows that were made or moved together. */
import type { LedgerLot, SerialRange } from '../records/index.js';

/** The id of a lot follows from its first serial: no two lots of a token begin with the same one. */
export const newLot = (tokenId: string, accountId: string, [first, last]: SerialRange): LedgerLot => ({
  id: `${tokenId}/${String(first)}`,
  tokenId,
  accountId,
  first,
  last,
});

export interface TakenSerials {
  /** In ascending order. */
  readonly serials: SerialRange[];
  /** Ids of the lots that they were in. */
  readonly lots: string[];
  /** The remainder of the lot that was split, if any. */
  readonly rest: SerialRange[];
}

/** Takes these serials, which do not overlap; the second member is the first that the account does not hold. */
export function takeSerials(
  lots: readonly LedgerLot[],
  serials: readonly SerialRange[],
): [TakenSerials, missing: number | null] {
  const result: TakenSerials = { serials: [], lots: [], rest: [] };
  const wanted = [...serials].sort(([a], [b]) => a - b);
  for (const { id, first, last } of [...lots].sort((a, b) => a.first - b.first)) {
    const before = result.serials.length;
    let free = first;
    for (
      let [from = 0, to = 0] = wanted[0] ?? [];
      from >= first && from <= last;
      [from = 0, to = 0] = wanted[0] ?? []
    ) {
      const end = Math.min(to, last);
      if (free < from) result.rest.push([free, from - 1]);
      result.serials.push([from, end]);
      free = end + 1;
      wanted.shift();
      if (end < to) wanted.unshift([end + 1, to]);
    }
    if (result.serials.length === before) continue;
    result.lots.push(id);
    if (free <= last) result.rest.push([free, last]);
  }
  return [result, wanted[0]?.[0] ?? null];
}

/** Takes the lowest serials of an account's lots. Requires that there are enough: the balance is the sum of the lots. */
export function takeFrom(lots: readonly LedgerLot[], count: bigint): TakenSerials {
  const result: TakenSerials = { serials: [], lots: [], rest: [] };
  let missing = Number(count);
  for (const { id, first, last } of [...lots].sort((a, b) => a.first - b.first)) {
    if (missing === 0) break;
    const end = Math.min(last, first + missing - 1);
    result.lots.push(id);
    result.serials.push([first, end]);
    if (end < last) result.rest.push([end + 1, last]);
    missing -= end - first + 1;
  }
  return result;
}
