/**
 * `npm run soak:cluster`: the test of a cluster whose nodes die, stop and lose the database, with twenty policies and five thousand sends, and of eight
 * nodes that write to one policy. Takes some minutes; needs what the tests of the PostgreSQL store need.
 */
import { install } from '../install.mjs';
import { main, runTool } from '../run.mjs';

await main(async () => {
  await install();
  const tests = ['chaos', 'hot-policy'].map((name) => `packages/store-postgres/test/${name}`);
  return runTool('vitest/vitest.mjs', ['run', '--reporter=verbose', ...tests], { env: { BLOCKWORK_SOAK: '1' } });
});
