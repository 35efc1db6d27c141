/** The layout of a trust chain: each link is to the right of everything that it builds on. */

export interface ChainLink {
  readonly messageId: string | null;
  readonly buildsOn: readonly string[];
}

export interface Placed {
  /** From 0; the first registrations are in column 0. */
  readonly column: number;
  readonly row: number;
  /** Indices of the links that it builds on. */
  readonly from: readonly number[];
}

/** In the order of `links`, which is oldest first. */
export function layoutOf(links: readonly ChainLink[]): Placed[] {
  const at = new Map<string, number>();
  const rows: number[] = [];
  const placed: Placed[] = [];
  links.forEach(({ messageId, buildsOn }, index) => {
    const from = buildsOn.flatMap((id) => at.get(id) ?? []);
    const column = Math.max(-1, ...from.map((each) => placed[each]?.column ?? -1)) + 1;
    const row = rows[column] ?? 0;
    rows[column] = row + 1;
    placed.push({ column, row, from });
    if (messageId !== null) at.set(messageId, index);
  });
  return placed;
}
