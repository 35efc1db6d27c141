/** The documentation that comes with the command line, for `/docs/` of its server: all pages, the API reference and the playground. */
import { join } from 'node:path';
import { buildApi } from './api.mjs';
import { buildPages } from './build-pages.mjs';
import { buildPlayground } from './playground/build.mjs';

/** Replaces the folder. The API reference has no links to sources, which need a network. */
export async function buildOfflineSite(folder) {
  const writeApi = (target) => buildApi(target, { hasSources: false });
  const pages = await buildPages(folder, { writeApi });
  await buildPlayground(join(folder, 'playground'));
  return `${pages} pages`;
}
