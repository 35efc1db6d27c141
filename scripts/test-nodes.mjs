/** `npm run test:nodes`: the tests in each long-term support line of Node that is supported; arguments go to vitest. */
import { delimiter, dirname } from 'node:path';
import { install } from './install.mjs';
import { nodeBinary, supportedNodes } from './packages/nodes.mjs';
import { main, root, run } from './run.mjs';

await main(async (args) => {
  await install();
  let worst = 0;
  for (const version of supportedNodes) {
    const binary = await nodeBinary(version);
    console.log(`\n== Node ${version}`);
    // Programs that tests start by the name `node` are the same.
    const env = { PATH: `${dirname(binary)}${delimiter}${process.env.PATH}` };
    worst = Math.max(worst, await run(binary, [`${root}node_modules/vitest/vitest.mjs`, 'run', ...args], { env }));
  }
  return worst;
});
