import { randomNumbers } from '../../test/support/random-numbers.mjs';

/** `size` of the items, drawn without replacement. The same seed gives the same sample. */
export function sampleOf(items, size, seed) {
  const rest = [...items];
  const random = randomNumbers(seed);
  const chosen = [];
  while (chosen.length < size && rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    chosen.push(rest[at]);
    rest[at] = rest[rest.length - 1];
    rest.pop();
  }
  return chosen;
}
