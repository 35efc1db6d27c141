/**
 * `npm run soak`: a server under honest and hostile load for ten minutes, see `test/soak`; shorter with `BLOCKWORK_SOAK_SECONDS`.
 * `npm run soak store [test ...]`: what the tests of the file store do, many times over: a process killed more than a thousand times under
 * load, the power cut after every operation of ten thousand histories, every operation failing in a thousand. Takes an hour or so.
 */
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { main, root, runNode, runTool } from './run.mjs';

const tests = ['kill', 'every-cut', 'every-failure'].map((name) => `packages/store-lowdb/test/${name}`);

await main(async ([subject, ...names]) => {
  await install();
  if (subject === 'store') {
    const chosen = names.length > 0 ? names : tests;
    return runTool('vitest/vitest.mjs', ['run', '--reporter=verbose', ...chosen], { env: { BLOCKWORK_SOAK: '1' } });
  }
  await build();
  return runNode([join(root, 'test', 'soak', 'soak.mjs')]);
});
