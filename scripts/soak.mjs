/**
 * `npm run soak`: what the tests of the file store do, many times over: a process killed more than a thousand times under load,
 * the power cut after every operation of ten thousand histories, every operation failing in a thousand. Takes an hour or so.
 */
import { install } from './install.mjs';
import { main, runTool } from './run.mjs';

const tests = ['kill', 'every-cut', 'every-failure'].map((name) => `packages/store-lowdb/test/${name}`);

await main(async (args) => {
  await install();
  const names = args.length > 0 ? args : tests;
  return runTool('vitest/vitest.mjs', ['run', '--reporter=verbose', ...names], { env: { BLOCKWORK_SOAK: '1' } });
});
