/** `npm run examples`: builds, runs every example program and, without `--programs`, the tests beside them; any failure fails it all. */
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { main, root, runNode, runTool } from './run.mjs';

const programs = [
  'embed/dist/main.js',
  'custom-block/dist/main.js',
  'custom-adapters/dist/main.js',
  'device/dist/main.js',
  'two-instances/dist/main.js',
  'serve/start-and-stop.mjs',
  'cluster/cluster.mjs',
];

await main(async (args) => {
  await install();
  await build();
  const failed = [];
  for (const program of programs) {
    console.log(`\n# examples/${program}`);
    if ((await runNode([join(root, 'examples', program)])) !== 0) failed.push(program);
  }
  if (!args.includes('--programs')) {
    console.log('\n# tests of the examples');
    if ((await runTool('vitest/vitest.mjs', ['run', 'examples'])) !== 0) failed.push('the tests');
  }
  console.log(failed.length === 0 ? '\nAll examples work.' : `\nThese examples failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
