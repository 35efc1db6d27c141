/**
 * `npm run soak:cluster`: the test of a cluster whose nodes die, stop and lose the database, with twenty policies and five thousand sends, and of eight
 * nodes that write to one policy. `npm run soak:failover`: twenty failovers to a synchronous and to an asynchronous standby. Each takes some minutes, and
 * needs what the tests of the PostgreSQL store need.
 */
import { install } from '../install.mjs';
import { main, runTool } from '../run.mjs';

await main(async () => {
  await install();
  const names = process.argv.includes('--failover') ? ['failover'] : ['chaos', 'hot-policy'];
  const tests = names.map((name) => `packages/store-postgres/test/${name}`);
  return runTool('vitest/vitest.mjs', ['run', '--reporter=verbose', ...tests], { env: { BLOCKWORK_SOAK: '1' } });
});
