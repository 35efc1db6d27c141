/** Time limits of properties: one that runs out of time reports its seed and counterexample before vitest gives up on its test. */
import fc from 'fast-check';

/** The longest that a timer can take. */
const LONGEST = 2 ** 31 - 1;

/** Of a copy of fast-check: limits each property from now on by what `timeout` gives when it begins, that of the test it runs in. */
export function limit(library: Pick<typeof fc, LimitingPart>, timeout: () => number): void {
  const { installGlobalPlugin, interruptAfterTimeLimit } = library;
  // Ends the runs and the shrinking while the test still has time to report.
  installGlobalPlugin((...place) => interruptAfterTimeLimit(timeout() / 2, { failOnInterrupt: true })(...place));
  // A run that never settles is a counterexample.
  installGlobalPlugin((...place) => library.timeout(timeout() / 4)(...place));
}

type LimitingPart = 'installGlobalPlugin' | 'interruptAfterTimeLimit' | 'timeout';

let testTimeout = LONGEST;

/** For every property from now on; `timeout` is that of the test it runs in. */
export function limitProperties(timeout: number): void {
  testTimeout = Math.min(timeout, LONGEST);
}

/** The limit of the test that runs, in milliseconds. */
export const propertyLimit = (): number => testTimeout;

limit(fc, propertyLimit);
