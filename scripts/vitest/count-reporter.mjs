/** A vitest reporter that leaves the numbers of a run in the file that BLOCKWORK_TEST_COUNTS names. */
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const testModule of testModules) {
      let failedTests = 0;
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        counts[state] += 1;
        if (state === 'failed') failedTests += 1;
      }
      // A file that cannot even be loaded has no test that could fail.
      if (testModule.state() === 'failed' && failedTests === 0) counts.failed += 1;
    }
    const { passed, failed, skipped, pending } = counts;
    writeFileSync(
      process.env.BLOCKWORK_TEST_COUNTS,
      `${passed} passed, ${failed} failed, ${skipped + pending} skipped`,
    );
  }
}
