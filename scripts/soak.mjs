/**
 * `npm run soak`: a server under honest and hostile load for ten minutes, see `test/soak`; shorter with `BLOCKWORK_SOAK_SECONDS`.
 * `npm run soak store [test ...]`: what the tests of the file store do, many times over: a process killed more than a thousand times under
 * load, the power cut after every operation of ten thousand histories, every operation failing in a thousand, each file damaged in hundreds of
 * places. Takes an hour or so.
 * `npm run soak copy`: a store of a hundred thousand documents copied to a database and back, also killed in between; needs PostgreSQL.
 * `npm run soak events`: live events with a hundred subscribers and ten thousand units, in process and over HTTP.
 * `npm run soak crash`: the store fails at every call of each scenario of ours, in three ways.
 * `npm run soak crowd`: two hundred users of one policy at once.
 * `npm run soak pages`: thousands of grids, paged through by several people, as the tests do with fewer.
 * `npm run soak jumps`: each screen of the console drawn answer by answer, in windows of three widths; needs Chromium.
 * `npm run soak requests`: two thousand requests between two processes that are killed; needs NATS.
 * `npm run soak host`: programs killed a thousand times while they commit rows of their own together with a policy's; needs PostgreSQL.
 * `npm run soak explore`: the explorer plays every published policy that the environment names, see `test/library/exploring.test.ts`.
 */
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { main, root, runNode, runTool } from './run.mjs';

const subjects = {
  store: ['kill', 'power-cut', 'every-cut', 'every-failure', 'corpus', 'damage'].map(
    (name) => `packages/store-lowdb/test/${name}`,
  ),
  copy: ['packages/cli/test/copy'],
  events: ['packages/core/test/events-at-scale', 'test/http/events-at-scale'],
  explore: ['test/library/exploring'],
  host: ['packages/store-postgres/test/host-kill'],
  pages: ['packages/core/test/pagination.property'],
  crash: ['test/scenarios/crash'],
  crowd: ['test/scenarios/crowd'],
  jumps: ['test/console/nothing-jumps'],
  requests: ['test/requests/two-processes'],
};

await main(async ([subject, ...names]) => {
  await install();
  if (subject !== undefined && Object.hasOwn(subjects, subject)) {
    const chosen = names.length > 0 ? names : subjects[subject];
    const options = ['--reporter=verbose', '--testTimeout=3600000', '--hookTimeout=3600000'];
    return runTool('vitest/vitest.mjs', ['run', ...options, ...chosen], { env: { BLOCKWORK_SOAK: '1' } });
  }
  await build();
  return runNode([join(root, 'test', 'soak', 'soak.mjs')]);
});
