/**
 * `npm test`: installs what is needed and runs the suite, without the subjects that have commands of their own; with
 * BLOCKWORK_TESTS=subjects, these too, and with BLOCKWORK_TESTS=all every combination. `--subject` runs one of them; other arguments go
 * to vitest, which then leaves nothing out. Ends with one line of numbers.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';
import { main, runTool } from './run.mjs';
import { exclusions, leftOut, leftTo, testsOf } from './vitest/subjects.mjs';

const outside = {
  BLOCKWORK_REAL_POLICIES: 'the tests over published policies',
  BLOCKWORK_POLICY_LIBRARY: 'the tests over the library of published policies and modules',
  BLOCKWORK_SCENARIOS: 'the tests over recorded scenarios of published policies',
};

await main(async (given) => {
  const args = given[0] === '--subject' ? [...testsOf(given[1]), ...given.slice(2)] : given;
  const left = leftOut(args, process.env.BLOCKWORK_TESTS);
  await install();
  for (const [variable, tests] of Object.entries(outside)) {
    if (!process.env[variable]) console.log(`${variable} is not set: ${tests} are skipped.`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-test-'));
  const counts = join(folder, 'counts');
  const reporter = fileURLToPath(new URL('vitest/count-reporter.mjs', import.meta.url));
  const reporters = ['--reporter=default', `--reporter=${reporter}`];
  const code = await runTool('vitest/vitest.mjs', ['run', ...reporters, ...exclusions(left), ...args], {
    env: { BLOCKWORK_TEST_COUNTS: counts },
  });
  if (left.length > 0) console.log(leftTo(left));
  console.log(await readFile(counts, 'utf8').catch(() => 'vitest ended before it had run the tests.'));
  await rm(folder, { recursive: true });
  return code;
});
