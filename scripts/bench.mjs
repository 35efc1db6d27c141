/** `npm run bench [name ...]`: builds, then runs the named programs of `test/bench`, or all of them, one after another. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { main, root, runNode, StepFailed } from './run.mjs';

const folder = join(root, 'test', 'bench');
const ending = '.bench.mjs';

await main(async (names) => {
  const benches = (await readdir(folder).catch(() => []))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
  const unknown = names.filter((name) => !benches.includes(name));
  if (unknown.length > 0) {
    throw new StepFailed(
      `There is no benchmark "${unknown.join('", "')}" in test/bench. There are: ${benches.join(', ')}.`,
    );
  }
  await install();
  await build();
  let worst = 0;
  for (const name of names.length > 0 ? names : benches) {
    console.log(`\n# ${name}`);
    worst = Math.max(worst, await runNode(['--expose-gc', join(folder, name + ending)]));
  }
  return worst;
});
