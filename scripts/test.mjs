/** `npm test`: installs what is needed and runs the whole suite; arguments go to vitest. Ends with one line of numbers. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';
import { main, runTool } from './run.mjs';

const outside = {
  BLOCKWORK_REAL_POLICIES: 'the tests over published policies',
  BLOCKWORK_POLICY_LIBRARY: 'the tests over the library of published policies and modules',
  BLOCKWORK_SCENARIOS: 'the tests over recorded scenarios of published policies',
};

await main(async (args) => {
  await install();
  for (const [variable, tests] of Object.entries(outside)) {
    if (!process.env[variable]) console.log(`${variable} is not set: ${tests} are skipped.`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-test-'));
  const counts = join(folder, 'counts');
  const reporter = fileURLToPath(new URL('vitest/count-reporter.mjs', import.meta.url));
  const code = await runTool('vitest/vitest.mjs', ['run', '--reporter=default', `--reporter=${reporter}`, ...args], {
    env: { BLOCKWORK_TEST_COUNTS: counts },
  });
  console.log(await readFile(counts, 'utf8').catch(() => 'vitest ended before it had run the tests.'));
  await rm(folder, { recursive: true });
  return code;
});
