/**
 * `npm run docs`: builds the documentation as a site in `site/`, or in the folder that is named. It needs no server: open `index.html`.
 * Only the playground needs one, of any kind.
 */
import { join, resolve } from 'node:path';
import { install } from '../install.mjs';
import { main, root, step } from '../run.mjs';
import { buildApi } from './api.mjs';
import { buildPages } from './build-pages.mjs';
import { writeLicences } from './licences.mjs';
import { buildPlayground } from './playground/build.mjs';

await main(async ([named = join(root, 'site')]) => {
  const folder = resolve(named);
  const chunks = [];
  await install();
  await step('Pages and API', async () => {
    const { count, scripts } = await buildPages(folder, { writeApi: buildApi });
    chunks.push(...scripts);
    return `${count}`;
  });
  await step('Playground', async () => {
    const scripts = await buildPlayground(join(folder, 'playground'));
    chunks.push(...scripts);
    return sizeOf(scripts);
  });
  await writeLicences(folder, chunks);
  return 0;
});

/** The largest script is the engine. */
function sizeOf(chunks) {
  return `${Math.round(Math.max(...chunks.map(({ code }) => code.length)) / 1000)} kB of engine`;
}
