/** The order of message identifiers `<seconds>.<nanoseconds>`. */

/** Negative when `a` comes before `b`, 0 for the same moment. Compared as text, because they do not fit a number and their parts have no fixed length. */
export function compareMessageIds(a: string, b: string): number {
  const [secondsOfA, fractionOfA] = partsOf(a);
  const [secondsOfB, fractionOfB] = partsOf(b);
  if (secondsOfA !== secondsOfB) return secondsOfA < secondsOfB ? -1 : 1;
  return fractionOfA === fractionOfB ? 0 : fractionOfA < fractionOfB ? -1 : 1;
}

/** Seconds padded so that text compares like numbers; trailing zeros of the fraction are dropped. */
function partsOf(id: string): [string, string] {
  const [seconds = '', fraction = ''] = id.split('.', 2);
  return [seconds.padStart(64, '0'), fraction.replace(/0+$/, '')];
}
