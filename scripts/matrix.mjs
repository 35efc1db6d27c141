/**
 * `npm run matrix`: asks who may do what, and writes the answers to docs/permissions.md; and the operations of the sandbox
 * to docs/sandbox-routes.md. Tests keep them equal.
 */
import { build } from './build.mjs';
import { main, runTool } from './run.mjs';

await main(async () => {
  await build();
  return runTool(
    'vitest/vitest.mjs',
    ['run', 'test/http/permission-matrix.test.ts', 'packages/sandbox/test/routes-page.test.ts'],
    {
      env: { BLOCKWORK_MATRIX: 'write' },
    },
  );
});
