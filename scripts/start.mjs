/**
 * `npm start`: installs and builds what is needed, then serves the example policy until Ctrl-C. The manifest starts it with
 * `exec`: npm passes signals on to the shell that it runs scripts in, and a shell that stays would keep them to itself. Where
 * the shell has no `exec`, as on Windows, run this file with node.
 */
import { build } from './build.mjs';
import { install } from './install.mjs';
import { main } from './run.mjs';

await main(async () => {
  await install();
  await build();
  // In this process: a child of its own would hear of a Ctrl-C twice, from the terminal and from here.
  await import('../examples/serve/dist/main.js');
  return process.exitCode;
});
