/**
 * `npm start`: installs and bundles what is needed, then serves the example policy until Ctrl-C. The manifest starts it with
 * `exec`: npm passes signals on to the shell that it runs scripts in, and a shell that stays would keep them to itself. Where
 * the shell has no `exec`, as on Windows, run this file with node.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from './build.mjs';
import { install } from './install.mjs';
import { main, root } from './run.mjs';

await main(async () => {
  await install();
  await buildProgram();
  process.env.BLOCKWORK_POLICIES ||= join(root, 'examples', 'serve', 'policies');
  // What `npm run docs` has built, if anything.
  const site = join(root, 'site');
  if (existsSync(join(site, 'index.html'))) process.env.BLOCKWORK_DOCS ||= site;
  // In this process: a child would receive Ctrl-C twice, from the terminal and from here.
  const cli = await import('../packages/cli/dist/bundle/program.js');
  await cli.main(['serve', ...process.argv.slice(2)]);
  return process.exitCode;
});
