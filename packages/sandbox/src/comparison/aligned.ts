/** Two lists of things, paired: what is the same, what is alike, and what only one has. */
export interface Pair<Item> {
  readonly left: Item | undefined;
  readonly right: Item | undefined;
}

/**
 * In the order of the left list, with what only the right one has in its place there. `keys` name a thing from the most to the
 * least precise: things are paired by the first key that they share.
 */
export function aligned<Item>(
  left: readonly Item[],
  right: readonly Item[],
  keys: readonly ((item: Item) => string)[],
): Pair<Item>[] {
  const partner = new Map<Item, Item>();
  const taken = new Set<Item>();
  for (const keyOf of keys) {
    const free = new Map<string, Item[]>();
    for (const item of right) if (!taken.has(item)) free.set(keyOf(item), [...(free.get(keyOf(item)) ?? []), item]);
    for (const item of left) {
      if (partner.has(item)) continue;
      const other = free.get(keyOf(item))?.shift();
      if (other === undefined) continue;
      partner.set(item, other);
      taken.add(other);
    }
  }
  const pairs: Pair<Item>[] = [];
  const shown = new Set<Item>();
  const alone = (until: Item | undefined): void => {
    for (const item of right) {
      if (item === until) return;
      if (!taken.has(item) && !shown.has(item)) pairs.push({ left: undefined, right: item });
      shown.add(item);
    }
  };
  for (const item of left) {
    const other = partner.get(item);
    if (other !== undefined) alone(other);
    pairs.push({ left: item, right: other });
  }
  alone(undefined);
  return pairs;
}
