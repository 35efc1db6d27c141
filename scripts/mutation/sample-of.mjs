/** `size` of the items, drawn without replacement. The same seed gives the same sample. */
export function sampleOf(items, size, seed) {
  const rest = [...items];
  const random = mulberry32(seed);
  const chosen = [];
  while (chosen.length < size && rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    chosen.push(rest[at]);
    rest[at] = rest[rest.length - 1];
    rest.pop();
  }
  return chosen;
}

/** A small generator of numbers from 0 to 1 (Mulberry32). */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
