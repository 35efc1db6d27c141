/** Time limits of properties: one that runs out of time reports its seed and counterexample before vitest gives up on its test. */
import fc from 'fast-check';

/** The longest that a timer can take. */
const LONGEST = 2 ** 31 - 1;

let testTimeout = LONGEST;

/** For every property from now on; `timeout` is that of the test it runs in. */
export function limitProperties(timeout: number): void {
  testTimeout = Math.min(timeout, LONGEST);
}

// Ends the runs and the shrinking while the test still has time to report.
fc.installGlobalPlugin((...place) => fc.interruptAfterTimeLimit(testTimeout / 2, { failOnInterrupt: true })(...place));
// A run that never settles is a counterexample.
fc.installGlobalPlugin((...place) => fc.timeout(testTimeout / 4)(...place));
