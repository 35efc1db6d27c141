/** `npm run docs`: builds the documentation as a site in `site/`, or in the folder that is named. It needs no server: open `index.html`. */
import { join, resolve } from 'node:path';
import { install } from '../install.mjs';
import { main, root, step } from '../run.mjs';
import { buildApi } from './api.mjs';
import { buildPages } from './build-pages.mjs';

await main(async ([folder = join(root, 'site')]) => {
  await install();
  await step('Pages', () => buildPages(resolve(folder)));
  await step('API', () => buildApi(join(resolve(folder), 'api')));
  return 0;
});
