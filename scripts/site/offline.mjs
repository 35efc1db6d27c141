/** The documentation that comes with the command line, for `/docs/` of its server: all pages, the API reference and the playground. */
import { join } from 'node:path';
import { buildApi } from './api.mjs';
import { buildPages } from './build-pages.mjs';
import { writeLicences } from './licences.mjs';
import { buildPlayground } from './playground/build.mjs';

/** Replaces the folder. The API reference has no links to sources, which need a network. */
export async function buildOfflineSite(folder) {
  const writeApi = (target) => buildApi(target, { hasSources: false });
  const { count, scripts } = await buildPages(folder, { writeApi });
  const playground = await buildPlayground(join(folder, 'playground'));
  await writeLicences(folder, [...scripts, ...playground]);
  return `${count} pages`;
}
